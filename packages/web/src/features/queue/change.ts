import type { LiveConversation } from "@parlor/client"
import type { QueueRow } from "@parlor/protocol"

export type Change = { readonly mode?: "queued" | "paused"; readonly before?: string; readonly after?: string }

const catchUpMs = 2_000

/**
 * Moves, pauses or releases a message as it is now, and waits until this window has seen it: the next change then has
 * the right version. A message that has gone is left alone.
 */
export async function change(live: LiveConversation, id: string, changes: Change): Promise<void> {
  const row = rowOf(live, id)
  if (row === undefined) return
  await live.edit(id, { ...changes, version: row.version })
  await seen(live, id, row)
}

function rowOf(live: LiveConversation, id: string): QueueRow | undefined {
  return live.getState().queue.find((row) => row.id === id)
}

function seen(live: LiveConversation, id: string, before: QueueRow): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (rowOf(live, id) === before) return
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(() => {
      stop()
      resolve()
    }, catchUpMs)
    const stop = live.subscribe(look)
    look()
  })
}
