/** A stream as its readers see it: where its events are and how they are encoded. */
import type { StoredChange, StreamId } from "@parlor/protocol"

export type Source = {
  readonly stream: StreamId
  readonly contentType: string
  /** Events on the wire: JSON texts separated by commas, or raw content of another type. */
  readonly encode: (changes: readonly StoredChange[]) => string | Uint8Array<ArrayBuffer>
  /** Streams of one log that are encoded differently. */
  readonly variant?: string
  /** Current rows, for `view=state`. */
  readonly state?: (messages: number) => Promise<State>
  /** Shows a part of the log. Its readers always begin with the state: an offset could be from before it was shared. */
  readonly lens?: Lens
  /** True once the stream has ended. Conversations never end. */
  readonly closed?: () => boolean
}

type Lens = {
  /** Readers of one stream with the same name see the same. */
  readonly name: string
  readonly share: string
  /** Undefined: nothing of this change is shown. */
  readonly shown: (change: StoredChange) => StoredChange | undefined
}

/** What its readers see of these changes. */
export function seen({ lens }: Pick<Source, "lens">, changes: readonly StoredChange[]): readonly StoredChange[] {
  return lens === undefined ? changes : changes.flatMap((change) => lens.shown(change) ?? [])
}

/** Messages that were rolled back cannot be unsent: readers of a part of the log start over with the state (SHR-5). */
export function startsOver({ lens }: Pick<Source, "lens">, changes: readonly StoredChange[]): boolean {
  return lens !== undefined && changes.some(({ collection }) => collection === "rollbacks")
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
    else yield `${before}${source.encode(changes)}`
    before = ","
  }
  if (isJson(source)) yield before === "[" ? "[]" : "]"
}

/** The events of one response: a JSON array, or the contents concatenated. */
export function bodyOf(source: Source, changes: readonly StoredChange[]): string | Uint8Array<ArrayBuffer> {
  const encoded = source.encode(changes)
  return isJson(source) ? `[${encoded}]` : encoded
}
