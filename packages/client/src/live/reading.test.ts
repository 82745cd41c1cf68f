import { formatOffset, queuePlace, type Snapshot } from "@parlor/protocol"
import { queuedWith } from "@parlor/protocol/testing"
import { expect, test, vi } from "vitest"
import { Log, said, snapshotOf } from "../../test/rows.ts"
import { ParlorError } from "../error.ts"
import { Following, type News } from "../follow.ts"
import { defaultTiming } from "../timing.ts"
import { Reading, type ReadingSource } from "./reading.ts"

/** A conversation whose pages and streams the test writes; what is not given does not happen. */
function stage(source: Partial<ReadingSource>, options: { readonly messages?: number } = {}) {
  const closing = new AbortController()
  const told = { startOver: vi.fn(), changed: vi.fn(), snapshots: [] as Snapshot[], offsets: [] as string[] }
  const never = () => new Promise<never>(() => undefined)
  const reading = new Reading(
    {
      open: never,
      messages: never,
      queue: never,
      follow: () => new Following(streaming(), formatOffset(0)),
      ...source,
    },
    {
      messages: options.messages,
      timing: { ...defaultTiming, backoffMs: 1, backoffMaxMs: 1 },
      signal: closing.signal,
      onStartOver: told.startOver,
      onSnapshot: (snapshot) => void told.snapshots.push(snapshot),
      onChanges: (_, offset) => void told.offsets.push(offset),
      changed: told.changed,
    },
  )
  return { reading, told, close: () => closing.abort() }
}

/** These batches, then an error or nothing more. */
async function* streaming(news: readonly News[] = [], error?: unknown): AsyncGenerator<News> {
  yield* news
  if (error !== undefined) throw error
  await new Promise(() => undefined)
}

test("[LOG-8] a snapshot is followed from its offset, and each batch is announced with the offset after it", async () => {
  const log = new Log()
  const changes = [log.message(said("a", 1, "hello"))]
  const followed: (string | undefined)[] = []
  const { reading, told } = stage({
    open: async () => snapshotOf([], 7),
    follow: ({ offset }) => {
      followed.push(offset)
      return new Following(streaming([{ changes, offset: formatOffset(8), upToDate: true }]), offset ?? "")
    },
  })
  expect([reading.phase, reading.window, reading.error, reading.next]).toEqual(["loading", undefined, null, null])
  await vi.waitFor(() => expect(told.offsets).toEqual([formatOffset(8)]))
  expect(followed).toEqual([formatOffset(7)])
  expect(reading.phase).toBe("ready")
  expect(told.snapshots).toHaveLength(1)
  expect(told.changed).toHaveBeenCalledTimes(2)
  expect(reading.window?.messages()).toHaveLength(1)
})

test("the number of messages is requested only if one was given", async () => {
  const asked: unknown[] = []
  const open: ReadingSource["open"] = async ({ signal: _, ...rest }) => {
    asked.push(rest)
    return snapshotOf([], 0)
  }
  stage({ open })
  stage({ open }, { messages: 3 })
  await vi.waitFor(() => expect(asked).toEqual([{}, { messages: 3 }]))
})

test("[LOG-25] the rest of a long queue is read page by page, each after the one before", async () => {
  const rows = ["a", "b", "c"].map((id) => queuedWith(id))
  const places = rows.map(queuePlace)
  const asked: string[] = []
  const { reading, told } = stage({
    open: async () => snapshotOf([], 0, { queue: rows.slice(0, 1), queued: 3 }),
    queue: async ({ after }) => {
      asked.push(after)
      const next = places.indexOf(after) + 1
      return { queue: rows.slice(next, next + 1), later: next < rows.length - 1 ? (places[next] ?? null) : null }
    },
  })
  await vi.waitFor(() => expect(reading.window?.queue().map(({ id }) => id)).toEqual(["a", "b", "c"]))
  expect(asked).toEqual(places.slice(0, 2))
  expect(reading.window?.unreadQueued).toBe(0)
  expect(told.changed).toHaveBeenCalledTimes(3)
})

test("[LOG-25] a page of the queue that arrives after closing changes nothing, and no other is requested", async () => {
  const rows = ["a", "b"].map((id) => queuedWith(id))
  let answer = (_: { queue: typeof rows; later: string | null }) => {}
  let asked = 0
  const { reading, told, close } = stage({
    open: async () => snapshotOf([], 0, { queue: rows.slice(0, 1), queued: 2 }),
    queue: () => {
      asked += 1
      return new Promise((resolve) => {
        answer = resolve
      })
    },
  })
  await vi.waitFor(() => expect(asked).toBe(1))
  const before = told.changed.mock.calls.length
  close()
  answer({ queue: rows.slice(1), later: "later" })
  await new Promise((resolve) => setTimeout(resolve))
  expect(told.changed).toHaveBeenCalledTimes(before)
  expect([asked, reading.window?.unreadQueued]).toEqual([1, 1])
})

test("[LOG-20] a history that is gone starts over with a new snapshot", async () => {
  let opened = 0
  const { reading, told } = stage({
    open: async () => {
      opened += 1
      return snapshotOf([said("a", 1, `snapshot ${opened}`)], opened)
    },
    follow: () => {
      const gone = new ParlorError(opened === 1 ? "offset.gone" : "offset.invalid", "gone", { status: 410 })
      return new Following(streaming([], opened < 3 ? gone : undefined), "")
    },
  })
  await vi.waitFor(() => expect(opened).toBe(3))
  await vi.waitFor(() => expect(told.snapshots).toHaveLength(3))
  expect(told.startOver).toHaveBeenCalledTimes(2)
  expect([reading.phase, reading.error]).toEqual(["ready", null])
  expect(reading.window?.messages()[0]?.parts).toEqual([{ type: "text", text: "snapshot 3" }])
})

test("what ends the stream for good fails it: offline, with nothing to wait for, and the reason", async () => {
  const refused = new ParlorError("auth.forbidden", "no", { status: 403 })
  const failing = (error: unknown) =>
    stage({
      open: async () => snapshotOf([], 0),
      follow: ({ onConnection }) => {
        onConnection?.("live", { at: 1, now: () => undefined })
        return new Following(streaming([], error), "")
      },
    })
  const { reading, told } = failing(refused)
  await vi.waitFor(() => expect(reading.phase).toBe("failed"))
  expect([reading.connection, reading.next, reading.error]).toEqual(["offline", null, refused])
  expect(told.startOver).not.toHaveBeenCalled()
  const other = failing(new TypeError("odd")).reading
  await vi.waitFor(() => expect(other.error).toMatchObject({ code: "network", detail: "TypeError: odd" }))
})

test("an error after closing changes nothing", async () => {
  let fail = (_: unknown) => {}
  const { reading, told, close } = stage({
    open: () =>
      new Promise((_, reject) => {
        fail = reject
      }),
  })
  close()
  fail(new ParlorError("auth.forbidden", "no", { status: 403 }))
  await new Promise((resolve) => setTimeout(resolve))
  expect(told.changed).not.toHaveBeenCalled()
  expect([reading.phase, reading.error]).toEqual(["loading", null])
})

test("[LOG-9] there is nothing older before the snapshot, nor at the beginning", async () => {
  let asked = 0
  const messages: ReadingSource["messages"] = async () => {
    asked += 1
    return { messages: [said("old", -1, "old")], older: null, inherited: [] }
  }
  const loading = stage({ messages })
  await loading.reading.loadOlder(5)
  const { reading } = stage({ open: async () => snapshotOf([said("a", 1, "x")], 0), messages })
  await vi.waitFor(() => expect(reading.phase).toBe("ready"))
  await reading.loadOlder(5)
  expect(asked).toBe(0)
})
