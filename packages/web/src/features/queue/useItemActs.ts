import type { LiveConversation } from "@parlor/client"
import { useEffect, useMemo, useRef, useState } from "react"
import { change, putBack } from "./change.ts"
import type { ItemActs } from "./QueueItemActs.tsx"
import { textOf, waitingList } from "./queueView.ts"
import { type Undo, undoOf } from "./undo.ts"
import type { Acts } from "./useActs.ts"

const undoMs = 12_000

export type Removed = { readonly text: string; readonly putBack: () => void; readonly forget: () => void }

/** The actions of queued messages. The last removal can be undone for a short time. */
export function useItemActs(
  live: LiveConversation | undefined,
  acts: Acts,
  edit: (id: string) => void,
): { readonly items: ItemActs; readonly removed: Removed | undefined } {
  const [undo, setUndo] = useState<Undo>()
  useEffect(() => {
    if (undo === undefined) return
    const timer = setTimeout(() => setUndo(undefined), undoMs)
    return () => clearTimeout(timer)
  }, [undo])

  const openEditor = useRef(edit)
  openEditor.current = edit
  const items = useMemo((): ItemActs => {
    const act = (work: (at: LiveConversation) => Promise<unknown>) =>
      live === undefined ? Promise.resolve(false) : acts.run(() => work(live))
    return {
      edit: (id) => openEditor.current(id),
      sendNow: (id) => void act((at) => at.sendNow(id)),
      setMode: (id, mode) => void act((at) => change(at, id, { mode })),
      move: (id, way) => void act((at) => moveBy(at, id, way)),
      place: (id, where) => void act((at) => change(at, id, where)),
      remove: (id) => {
        const queue = live?.getState().queue ?? []
        const row = queue.find((waiting) => waiting.id === id)
        const next = row && undoOf(id, queue, textOf(row.payload))
        void act((at) => at.remove(id)).then((done) => done && setUndo(next))
      },
    }
  }, [live, acts.run])
  if (undo === undefined || live === undefined) return { items, removed: undefined }
  const forget = () => setUndo(undefined)
  const back = () => {
    forget()
    void acts.run(() => putBack(live, undo))
  }
  return { items, removed: { text: undo.text, putBack: back, forget } }
}

async function moveBy(live: LiveConversation, id: string, way: "up" | "down"): Promise<void> {
  const { queue, status } = live.getState()
  const message = waitingList(queue, (status?.turn ?? null) !== null).find((waiting) => waiting.id === id)
  if (way === "up" && message?.above) return change(live, id, { before: message.above })
  if (way === "down" && message?.below) return change(live, id, { after: message.below })
}
