import { feedRowWith } from "@parlor/protocol/testing"
import { expect, test, vi } from "vitest"
import { Log } from "../../test/rows.ts"
import { ParlorError } from "../error.ts"
import type { News } from "../follow.ts"
import { LiveFeed } from "./feed.ts"

/** A feed whose news the test writes. */
function stage() {
  const waiting: ((news: News | Error) => void)[] = []
  let signal: AbortSignal | undefined
  const next = () => new Promise<News | Error>((resolve) => waiting.push(resolve))
  const feed = new LiveFeed(async function* (options) {
    signal = options.signal
    for (;;) {
      const news = await next()
      if (news instanceof Error) throw news
      yield news
    }
  })
  const tell = async (news: Partial<News> | Error) => {
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    waiting.splice(0)[0]?.(news instanceof Error ? news : { changes: [], offset: "", upToDate: undefined, ...news })
    await vi.waitFor(() => expect(news instanceof Error || waiting.length === 1).toBe(true))
  }
  const shown = () => feed.getState().conversations.map(({ agent }) => agent)
  return { feed, tell, shown, signal: () => signal }
}

const row = (log: Log, agent: string, activityAt: number, pinned = false) =>
  log.add("conversations", `${agent}/main`, feedRowWith({ agent, activityAt, pinned }))

test("[LOG-14] pinned ones first, then by activity; it is ready when the server says that it is up to date", async () => {
  const log = new Log()
  const { feed, tell, shown } = stage()
  const announced = vi.fn()
  feed.subscribe(announced)
  const changes = [row(log, "a", 3), row(log, "b", 9), row(log, "c", 5), row(log, "d", 1, true)]
  await tell({ changes: [...changes, log.status({ state: "busy" })] })
  await vi.waitFor(() => expect(shown()).toEqual(["d", "b", "c", "a"]))
  expect(announced).toHaveBeenCalled()
  expect(feed.getState().phase).toBe("loading")
  await tell({ upToDate: false })
  expect(feed.getState().phase).toBe("loading")
  await tell({ upToDate: true })
  await vi.waitFor(() => expect(feed.getState().phase).toBe("ready"))
  expect(shown()).toEqual(["d", "b", "c", "a"])
})

test("[LOG-20] a feed that starts over forgets what it had, even if nothing replaces it", async () => {
  const log = new Log()
  const { tell, shown } = stage()
  await tell({ changes: [row(log, "a", 3), row(log, "b", 9)], upToDate: true })
  await vi.waitFor(() => expect(shown()).toEqual(["b", "a"]))
  await tell({ changes: [row(log, "c", 1)], startsOver: true })
  await vi.waitFor(() => expect(shown()).toEqual(["c"]))
  await tell({ startsOver: true })
  await vi.waitFor(() => expect(shown()).toEqual([]))
})

test("a feed that is refused is failed, with the reason; closing ends the connection", async () => {
  const { feed, tell } = stage()
  const refused = new ParlorError("auth.forbidden", "no", { status: 403 })
  await tell(refused)
  await vi.waitFor(() => expect(feed.getState()).toMatchObject({ phase: "failed", connection: "offline" }))
  expect(feed.getState().error).toBe(refused)
  const other = stage()
  await other.tell(new TypeError("odd"))
  await vi.waitFor(() => expect(other.feed.getState().error).toMatchObject({ code: "network" }))
  const closed = stage()
  await vi.waitFor(() => expect(closed.signal()?.aborted).toBe(false))
  closed.feed.close()
  expect(closed.signal()?.aborted).toBe(true)
})
