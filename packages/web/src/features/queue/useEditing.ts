import type { LiveConversation } from "@parlor/client"
import type { QueueRow } from "@parlor/protocol"
import { useEffect, useRef, useState } from "react"
import { type Editing, isChanged, openedFor, type Standing, standingOf } from "./editing.ts"
import type { Acts } from "./useActs.ts"

export type Editor = {
  readonly editing: Editing | undefined
  readonly standing: Standing | undefined
  readonly open: (id: string) => void
  readonly change: (text: string) => void
  readonly save: () => void
  /** Goes on from what another window saved. */
  readonly take: () => void
  readonly close: () => void
}

type Lease = { release(): unknown }

/** One message open for editing. While it is, an edit lease keeps it from starting (QUE-8). */
export function useEditing(live: LiveConversation | undefined, queue: readonly QueueRow[], acts: Acts): Editor {
  const [editing, setEditing] = useState<Editing>()
  const lease = useRef<Promise<Lease | undefined>>(undefined)
  const standing = editing && standingOf(editing, queue)

  const release = () => {
    void lease.current?.then((held) => held?.release()).catch(() => undefined)
    lease.current = undefined
  }
  const close = () => {
    release()
    setEditing(undefined)
  }
  const open = (id: string) => {
    const row = queue.find((waiting) => waiting.id === id)
    if (live === undefined || row === undefined) return
    release()
    acts.dismiss()
    setEditing(openedFor(row))
    // Without a lease it can still be edited: the version tells whether it started meanwhile.
    lease.current = Promise.resolve(live.lease(id)).catch(() => undefined)
  }
  const save = () => {
    if (live === undefined || editing === undefined || standing === undefined || standing.kind === "gone") return
    if (!isChanged(editing)) return close()
    const { version } = standing
    void acts.run(() => live.edit(editing.id, { text: editing.text, version })).then((done) => done && close())
  }
  const isOver = standing?.kind === "gone" && editing !== undefined && !isChanged(editing)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it has gone and nothing was written, so nothing is kept
  useEffect(() => {
    if (isOver) close()
  }, [isOver])
  useEffect(() => () => void lease.current?.then((held) => held?.release()).catch(() => undefined), [])

  const change = (text: string) => setEditing((now) => now && { ...now, text })
  const take = () => {
    if (standing?.kind !== "changed") return
    const { theirs } = standing
    setEditing((now) => now && { ...now, text: theirs, base: theirs })
    acts.dismiss()
  }
  return { editing, standing, open, change, save, take, close }
}
