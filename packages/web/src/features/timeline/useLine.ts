import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { type LineScene, type LineUp, lineUp } from "../rollback/lineUp.ts"

export type Line = LineUp & {
  /** Expands or collapses a cut. */
  readonly open: (cut: string, isOpen: boolean) => void
  /** Shows the next or the previous version of a message. */
  readonly turn: (message: string, by: 1 | -1) => void
  /** Returns to the version in force. */
  readonly close: (root: string) => void
  /** Goes to a message, even one that is hidden. */
  readonly show: (message: string | undefined, keys: readonly string[], goTo: (index: number) => void) => void
}

const NONE: ReadonlySet<string> = new Set()
const NO_CHOICE: ReadonlyMap<string, string> = new Map()

/** The rows to show: which cuts are open and which versions are being read is state of this window. */
export function useLine({
  messages,
  rollbacks,
  goTo,
}: Pick<LineScene, "messages" | "rollbacks"> & { readonly goTo: string | undefined }): Line {
  const [opened, setOpened] = useState(NONE)
  const [chosen, setChosen] = useState(NO_CHOICE)
  const [found, setFound] = useState<string>()
  const revealed = found ?? goTo
  const line = useMemo(
    () => lineUp({ messages, rollbacks, opened, chosen, revealed }),
    [messages, rollbacks, opened, chosen, revealed],
  )
  const latest = useRef(line)
  latest.current = line
  /** The message to go to once it is shown. */
  const pending = useRef<{ readonly message: string; readonly goTo: (index: number) => void }>(undefined)
  useEffect(() => {
    const wanted = pending.current
    const index = wanted === undefined ? -1 : line.rows.findIndex(({ id }) => id === wanted.message)
    if (index === -1) return
    pending.current = undefined
    wanted?.goTo(index)
  }, [line])

  // A version that was taken up again is in force: there is no earlier one to return to.
  const inForce = useMemo(() => {
    const read = new Set(chosen.values())
    return messages.some(({ id, dimmed }) => !dimmed && read.has(id))
  }, [messages, chosen])
  useEffect(() => {
    if (inForce) setChosen(NO_CHOICE)
  }, [inForce])

  const open = useCallback((cut: string, isOpen: boolean) => {
    setFound(undefined)
    setOpened((now) => {
      const next = new Set(now)
      if (isOpen) next.add(cut)
      else next.delete(cut)
      return next
    })
  }, [])
  const turn = useCallback((message: string, by: 1 | -1) => {
    const versions = latest.current.versions.get(message)
    const next = versions?.ids[versions.ids.indexOf(message) + by]
    if (versions !== undefined && next !== undefined) setChosen(new Map([[versions.root, next]]))
  }, [])
  const close = useCallback(() => setChosen(NO_CHOICE), [])
  const show = useCallback((message: string | undefined, keys: readonly string[], go: (index: number) => void) => {
    if (message === undefined) return
    const index = keys.indexOf(message)
    if (index !== -1) return go(index)
    pending.current = { message, goTo: go }
    setFound(message)
  }, [])
  return { ...line, open, turn, close, show }
}
