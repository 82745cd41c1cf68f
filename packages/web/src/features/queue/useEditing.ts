import type { LiveConversation } from "@parlor/client"
import type { QueueRow } from "@parlor/protocol"
import { useEffect, useRef, useState } from "react"
import { type Editing, isChanged, openedFor, type Standing, standingOf } from "./editing.ts"
import { type Lease, takeLease } from "./takeLease.ts"
import type { Acts } from "./useActs.ts"

export type Editor = {
  readonly editing: Editing | undefined
  readonly standing: Standing | undefined
  /** Another window or device edits it too. */
  readonly isShared: boolean
  readonly open: (id: string) => void
  readonly change: (text: string) => void
  readonly save: () => void
  /** Continues from the version another window saved. */
  readonly take: () => void
  readonly close: () => void
}

/** The message being edited. An edit lease keeps it from starting (QUE-8). */
export function useEditing(live: LiveConversation | undefined, queue: readonly QueueRow[], acts: Acts): Editor {
  const [editing, setEditing] = useState<Editing>()
  const [isSaving, setIsSaving] = useState(false)
  /** This window's lease, and whether another one had it before. */
  const [mine, setMine] = useState<string>()
  const [wasTaken, setWasTaken] = useState(false)
  const lease = useRef<Lease>(undefined)
  // A message may start right after it is saved, which is fine.
  const standing = editing && !isSaving ? standingOf(editing, queue) : undefined

  const close = () => {
    lease.current?.release()
    setEditing(undefined)
    acts.dismiss()
  }
  const open = (id: string) => {
    const row = queue.find((waiting) => waiting.id === id)
    if (live === undefined || row === undefined) return
    close()
    setEditing(openedFor(row))
    setWasTaken(row.lease !== null && row.lease.until > Date.now())
    setMine(undefined)
    lease.current = takeLease(live, id)
    void lease.current.holder.then(setMine)
  }
  const save = () => {
    if (live === undefined || editing === undefined || standing === undefined || standing.kind === "gone") return
    if (!isChanged(editing)) return close()
    const { id, text } = editing
    const { version } = standing
    const held = lease.current ?? takeLease(live, id)
    setIsSaving(true)
    void acts
      .run(() => held.save(text, version))
      .then((done) => {
        setIsSaving(false)
        if (done) return setEditing(undefined)
        lease.current = takeLease(live, id)
      })
  }
  const take = () => {
    if (standing?.kind !== "changed") return
    const { theirs } = standing
    setEditing((now) => now && { ...now, text: theirs, base: theirs })
    acts.dismiss()
  }
  const change = (text: string) => setEditing((now) => now && { ...now, text })

  const isOver = standing?.kind === "gone" && editing !== undefined && !isChanged(editing)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is gone and nothing was typed, so there is nothing to keep
  useEffect(() => {
    if (isOver) close()
  }, [isOver])
  useEffect(() => () => lease.current?.release(), [])
  const held = editing && queue.find(({ id }) => id === editing.id)?.lease
  const isShared = wasTaken || (held != null && mine !== undefined && held.holder !== mine)
  return { editing, standing, isShared, open, change, save, take, close }
}
