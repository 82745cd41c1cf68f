/** Computes how to undo a removal. Pure; `putBack` in change.ts does it. */
import { COMPOSER_INPUT, type ComposerInput, type QueueRow, type SendBody } from "@parlor/protocol"

export type Undo = {
  readonly text: string
  /** It is queued as paused first, so that it doesn't start before it is in its place. */
  readonly body: SendBody
  readonly wasPaused: boolean
  /** Its former neighbors. Either may be gone by now. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Undefined for a message from a trigger: it would come back as the person's own. */
export function undoOf(id: string, queue: readonly QueueRow[], text: string): Undo | undefined {
  const index = queue.findIndex((row) => row.id === id)
  const row = queue[index]
  if (row === undefined || row.source !== "person") return undefined
  const options = { mode: "paused", ...(row.guests.length > 0 ? { guests: [...row.guests] } : {}) } as const
  return {
    text,
    body:
      row.type === COMPOSER_INPUT
        ? { type: COMPOSER_INPUT, payload: row.payload as unknown as ComposerInput, ...options }
        : { type: row.type, payload: row.payload, ...options },
    wasPaused: row.mode === "paused",
    after: queue[index - 1]?.id,
    before: queue[index + 1]?.id,
  }
}

/** Its place now: before its former successor, else after its former predecessor. */
export function placeOf(
  { before, after }: Pick<Undo, "before" | "after">,
  queue: readonly Pick<QueueRow, "id">[],
): { readonly before: string } | { readonly after: string } | undefined {
  const has = (id: string | undefined): id is string => id !== undefined && queue.some((row) => row.id === id)
  if (has(before)) return { before }
  return has(after) ? { after } : undefined
}
