/** A stream as its readers see it: where its events are and how they are encoded. */
import type { StoredChange, StreamId } from "@parlor/protocol"

export type Source = {
  readonly stream: StreamId
  readonly contentType: string
  /** An event as bytes on the wire: JSON text, or raw content of another type. */
  readonly encode: (change: StoredChange) => string | Uint8Array
  /** Current rows, for `view=state`. */
  readonly state?: (messages: number) => Promise<State>
  /** True once the stream has ended. Conversations never end. */
  readonly closed?: () => boolean
}

/** Current rows as inserts, and where the log continues after them. */
export type State = {
  readonly head: number
  readonly offset: string
  readonly pieces: AsyncIterable<readonly StoredChange[]>
}

export function isJson(source: Source): boolean {
  return source.contentType.split(";", 1)[0]?.trim().toLowerCase() === "application/json"
}

/** The same, streamed. */
export async function* bodyPieces(source: Source, { pieces }: State): AsyncGenerator<string | Uint8Array> {
  let before = "["
  for await (const changes of pieces) {
    if (!isJson(source)) yield bodyOf(source, changes)
    else yield `${before}${changes.map((change) => source.encode(change)).join(",")}`
    before = ","
  }
  if (isJson(source)) yield before === "[" ? "[]" : "]"
}

/** The events of one response: a JSON array, or the contents concatenated. */
export function bodyOf(source: Source, changes: readonly StoredChange[]): string | Uint8Array<ArrayBuffer> {
  if (isJson(source)) return `[${changes.map((change) => source.encode(change)).join(",")}]`
  return Buffer.concat(changes.map((change) => Buffer.from(source.encode(change))))
}
