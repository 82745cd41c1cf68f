import type { LiveConversation } from "@parlor/client"
import type { QueueRow } from "@parlor/protocol"
import { useEffect, useMemo, useRef, useState } from "react"
import { change } from "./change.ts"
import type { ItemActs } from "./QueueItemActs.tsx"
import { textOf, waitingList } from "./queueView.ts"
import type { Acts } from "./useActs.ts"

const undoMs = 12_000

export type Removed = { readonly text: string; readonly forget: () => void }

/** What the buttons of a waiting message do. What was removed last is at hand for a while. */
export function useItemActs(
  live: LiveConversation | undefined,
  acts: Acts,
  edit: (id: string) => void,
): { readonly items: ItemActs; readonly removed: Removed | undefined } {
  const [text, setText] = useState<string>()
  useEffect(() => {
    if (text === undefined) return
    const timer = setTimeout(() => setText(undefined), undoMs)
    return () => clearTimeout(timer)
  }, [text])

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
      remove: (id) => {
        const row = live?.getState().queue.find((waiting) => waiting.id === id)
        void act((at) => at.remove(id)).then((done) => done && row && setText(saidByPerson(row)))
      },
    }
  }, [live, acts.run])
  const removed = text === undefined ? undefined : { text, forget: () => setText(undefined) }
  return { items, removed }
}

async function moveBy(live: LiveConversation, id: string, way: "up" | "down"): Promise<void> {
  const { queue, status } = live.getState()
  const message = waitingList(queue, status?.turn !== null).find((waiting) => waiting.id === id)
  if (way === "up" && message?.above) return change(live, id, { before: message.above })
  if (way === "down" && message?.below) return change(live, id, { after: message.below })
}

function saidByPerson(row: QueueRow): string | undefined {
  return row.source === "person" ? textOf(row.payload) : undefined
}
