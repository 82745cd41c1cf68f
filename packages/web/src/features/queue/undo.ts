/** Putting a removed message back where it was. Pure; `putBack` in change.ts does it. */
import { COMPOSER_INPUT, type ComposerInput, type QueueRow, type SendBody } from "@parlor/protocol"

export type Undo = {
  readonly text: string
  /** It comes back paused, so that it does not start before it is in its place. */
  readonly body: SendBody
  readonly wasPaused: boolean
  /** The messages it stood between. Either may have gone meanwhile. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Undefined for what nobody typed: that would come back as the person's own. */
export function undoOf(id: string, queue: readonly QueueRow[], text: string): Undo | undefined {
  const index = queue.findIndex((row) => row.id === id)
  const row = queue[index]
  if (row === undefined || row.source !== "person") return undefined
  const options = { mode: "paused", ...(row.guests.length > 0 ? { guests: [...row.guests] } : {}) } as const
  return {
    text,
    body:
      row.type === COMPOSER_INPUT
        ? { type: COMPOSER_INPUT, payload: row.payload as ComposerInput, ...options }
        : { type: row.type, payload: row.payload, ...options },
    wasPaused: row.mode === "paused",
    after: queue[index - 1]?.id,
    before: queue[index + 1]?.id,
  }
}

/** Where it goes now: before what stood behind it, else behind what stood before it. */
export function placeOf(
  { before, after }: Pick<Undo, "before" | "after">,
  queue: readonly Pick<QueueRow, "id">[],
): { readonly before: string } | { readonly after: string } | undefined {
  const has = (id: string | undefined): id is string => id !== undefined && queue.some((row) => row.id === id)
  if (has(before)) return { before }
  return has(after) ? { after } : undefined
}
