/**
 * A shared conversation, kept current while it is shown (SHR-12).
 *
 *   loading ──opened──▶ open ──a live one changes──▶ open
 *      └──refused──▶ ended ◀──revoked, expired or deleted──┘ (what was shown stays)
 */
import type { Parlor } from "@parlor/client"
import { emptyRows, fold, type MessageRow, type SharedConversation, type StatusRow, withDeltas } from "@parlor/protocol"
import { useCallback, useEffect, useRef, useState } from "react"

export type SharedState = {
  readonly about: SharedConversation | undefined
  readonly messages: readonly MessageRow[]
  readonly title: string
  readonly isBusy: boolean
  /** The cursor of older messages; null if there are none. */
  readonly older: string | null
  /** Why it ended. */
  readonly error: unknown
  readonly loadOlder: () => void
  readonly retry: () => void
}

const MESSAGES = 50

export function useShared(parlor: Parlor, share: string): SharedState {
  const [about, setAbout] = useState<SharedConversation>()
  const [newest, setNewest] = useState<readonly MessageRow[]>([])
  const [earlier, setEarlier] = useState<readonly MessageRow[]>([])
  const [older, setOlder] = useState<string | null>(null)
  const [status, setStatus] = useState<Pick<StatusRow, "title" | "state">>()
  const [error, setError] = useState<unknown>()
  const [tries, setTries] = useState(0)
  const isLoading = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another effect.
  useEffect(() => {
    const left = new AbortController()
    const shared = parlor.shares.open(share)
    const read = async () => {
      setError(undefined)
      const first = await shared.open({ messages: MESSAGES })
      if (left.signal.aborted) return
      setAbout(first)
      setNewest(first.messages)
      setOlder(first.older)
      setStatus(first)
      if (first.mode === "snapshot") return
      let rows = emptyRows()
      for await (const { changes, startsOver } of shared.rows({ signal: left.signal })) {
        if (startsOver) rows = emptyRows()
        fold(rows, changes)
        const messages = [...rows.messages.values()].sort((a, b) => a.ord - b.ord)
        setNewest(messages.map((message) => withDeltas(message, rows.deltas.values())))
        setStatus([...rows.status.values()][0])
      }
    }
    read().catch((reason: unknown) => left.signal.aborted || setError(reason))
    return () => left.abort()
  }, [parlor, share, tries])
  const loadOlder = useCallback(() => {
    if (older === null || isLoading.current) return
    isLoading.current = true
    void parlor.shares
      .open(share)
      .messages({ before: older, limit: MESSAGES })
      .then((page) => {
        setEarlier((known) => [...[...page.messages].reverse(), ...known])
        setOlder(page.older)
      }, setError)
      .finally(() => {
        isLoading.current = false
      })
  }, [parlor, share, older])
  const first = newest[0]?.ord ?? Number.POSITIVE_INFINITY
  return {
    about,
    // Rows of the stream replace those that were read before.
    messages: [...earlier.filter(({ ord }) => ord < first), ...newest],
    title: status?.title ?? about?.title ?? "",
    isBusy: status?.state === "busy",
    older,
    error,
    loadOlder,
    retry: () => setTries((count) => count + 1),
  }
}
