import type { LiveConversation } from "@parlor/client"
import type { QueueRow } from "@parlor/protocol"
import { placeOf, type Undo } from "./undo.ts"

export type Change = { readonly mode?: "queued" | "paused"; readonly before?: string; readonly after?: string }

const catchUpMs = 2_000

/**
 * Moves, skips or unskips a message and waits until this window has seen the change, so that the next change has the
 * right version. Ignores a message that is gone.
 */
export async function change(live: LiveConversation, id: string, changes: Change): Promise<void> {
  const row = rowOf(live, id)
  if (row === undefined) return
  await live.edit(id, { ...changes, version: row.version })
  await seen(live, id, row)
}

/** Queues a removed message again, in its old place and mode. */
export async function putBack(live: LiveConversation, undo: Undo): Promise<void> {
  const { message } = await live.send(undo.body)
  await present(live, message)
  const place = placeOf(undo, live.getState().queue)
  const mode = undo.wasPaused ? {} : ({ mode: "queued" } as const)
  if (place !== undefined || !undo.wasPaused) await change(live, message, { ...mode, ...place })
}

/** Waits until this window has received it. */
function present(live: LiveConversation, id: string): Promise<void> {
  return until(live, () => rowOf(live, id) !== undefined)
}

function rowOf(live: LiveConversation, id: string): QueueRow | undefined {
  return live.getState().queue.find((row) => row.id === id)
}

function seen(live: LiveConversation, id: string, before: QueueRow): Promise<void> {
  return until(live, () => rowOf(live, id) !== before)
}

/** With a timeout, because a disconnected window receives nothing. */
function until(live: LiveConversation, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(end, catchUpMs)
    const stop = live.subscribe(() => isSo() && end())
    if (isSo()) end()
  })
}
