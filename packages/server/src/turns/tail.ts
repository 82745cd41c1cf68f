/**
 * The changes of a stream after a position, as they become durable: pages of the log first, then published changes.
 *
 *   reading ──page reached the head──▶ waiting ──published, contiguous──▶ waiting
 *      ▲                                  │
 *      └─── a gap, or the buffer is full ──┘
 *
 * For a reader that does not read, at most `limits.readerBufferBytes` of published changes are buffered.
 */
import type { Runtime } from "@parlor/core"
import { limits, Refusal, type StoredChange, type StreamId } from "@parlor/protocol"

const BOUNDS = { count: limits.readPageEvents, bytes: limits.readPageBytes }

export type TailOf = {
  readonly runtime: Pick<Runtime, "events" | "subscribe">
  readonly stream: StreamId
  /** The number of the last event to skip. */
  readonly after: number
  readonly signal: AbortSignal
}

/** Ends when `signal` is aborted. */
export async function* tail({ runtime, stream, after, signal }: TailOf): AsyncGenerator<readonly StoredChange[]> {
  let last = after
  let published: StoredChange[] = []
  let bytes = 0
  let mustRead = true
  let wake = () => {}
  const take = (changes: readonly StoredChange[]) => {
    for (const change of changes) bytes += change.value.length
    if (changes.length === 0 || bytes > limits.readerBufferBytes) {
      mustRead = true
      published = []
      bytes = 0
    } else if (!mustRead) published.push(...changes)
    wake()
  }
  const unsubscribe = runtime.subscribe(stream, take, { isPerson: true })
  const stop = () => wake()
  signal.addEventListener("abort", stop)
  try {
    while (!signal.aborted) {
      if (mustRead) {
        mustRead = false
        const page = await runtime.events(stream, last, BOUNDS)
        if (page === undefined) throw new Refusal("conversation.unknown", "There is no such conversation.")
        const end = page.changes.at(-1)
        if (end !== undefined) {
          last = end.seq
          yield page.changes
        }
        if (last < page.head) mustRead = true
        continue
      }
      const found = published.filter(({ seq }) => seq > last)
      published = []
      bytes = 0
      const [first] = found
      const end = found.at(-1)
      if (first !== undefined && end !== undefined) {
        if (first.seq !== last + 1) mustRead = true
        else {
          last = end.seq
          yield found
        }
        continue
      }
      await new Promise<void>((resolve) => {
        wake = resolve
        if (signal.aborted || mustRead || published.length > 0) resolve()
      })
    }
  } finally {
    unsubscribe()
    signal.removeEventListener("abort", stop)
  }
}
