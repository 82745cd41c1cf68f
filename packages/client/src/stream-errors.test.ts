/** How a stream of rows or changes continues after errors, without a socket. */
import { type ChangeEvent, formatOffset } from "@parlor/protocol"
import { expect, test, vi } from "vitest"
import { Log, said } from "../test/rows.ts"
import { control, data } from "../test/wire.ts"
import { ParlorError } from "./error.ts"
import { type FollowOptions, type News, type OpenStream, readStream } from "./follow.ts"
import { defaultTiming, type NextTry } from "./timing.ts"

const timing = { ...defaultTiming, backoffMs: 1, backoffMaxMs: 1 }
const streamOf = (text: string, type = "text/event-stream; charset=utf-8") =>
  new Response(text, { headers: { "content-type": type } })

/** Answers each connection with the next of these; errors are thrown. The last one stays open. */
function opening(answers: readonly (Response | Error)[]) {
  const offsets: (string | undefined)[] = []
  const open: OpenStream = async ({ query }) => {
    offsets.push(query?.offset)
    const answer = answers[offsets.length - 1]
    if (answer === undefined) return new Promise<never>(() => undefined)
    if (answer instanceof Error) throw answer
    return answer
  }
  return { open, offsets }
}

async function take(count: number, from: AsyncGenerator<News>): Promise<readonly News[]> {
  const taken: News[] = []
  for await (const news of from) {
    taken.push(news)
    if (taken.length === count) break
  }
  return taken
}

const log = new Log()
const changes: readonly ChangeEvent[] = [1, 2].map((ord) => log.message(said(`m${ord}`, ord, "x")))

test.each(["offset.gone", "offset.invalid"] as const)(
  "[LOG-20] rows whose history is gone (%s) are read from the beginning, and say so once",
  async (code) => {
    const gone = new ParlorError(code, "gone", { status: 410 })
    const rows = streamOf(data(changes) + control(2) + data([]))
    const { open, offsets } = opening([gone, rows, streamOf(control(2))])
    const news = await take(3, readStream(timing, { open, rows: true }, { offset: formatOffset(9) }))
    expect(offsets.slice(0, 2)).toEqual([formatOffset(9), "-1"])
    expect(news.map(({ startsOver }) => startsOver)).toEqual([true, false, false])
    // A log that is gone ends: its reader has to load the conversation again.
    const log = readStream(timing, { open: opening([gone]).open }, { offset: formatOffset(9) })
    await expect(take(1, log)).rejects.toBe(gone)
  },
)

test.each([
  [400, true],
  [404, true],
  [429, false],
  [500, false],
  [503, false],
] as const)("a response of %i ends the stream: %s", async (status, ends) => {
  const error = new ParlorError("request.invalid", "no", { status })
  const { open } = opening([error, streamOf(data(changes))])
  const news = take(1, readStream(timing, { open }))
  if (ends) await expect(news).rejects.toBe(error)
  else expect((await news)[0]?.changes).toHaveLength(2)
})

test("errors that are not the server's, and answers that are no event stream, are waited out", async () => {
  const { open, offsets } = opening([
    new TypeError("odd"),
    streamOf(data(changes), "text/html"),
    streamOf(data(changes)),
  ])
  expect((await take(1, readStream(timing, { open })))[0]?.changes).toHaveLength(2)
  expect(offsets).toHaveLength(3)
})

test("[SEC-9] the pause is as long as the server says", async () => {
  const { open } = opening([new ParlorError("rate.exceeded", "slow down", { status: 429, retryAfterMs: 30_000 })])
  const pauses: NextTry[] = []
  const closing = new AbortController()
  const onConnection: FollowOptions["onConnection"] = (_, next) => void (next && pauses.push(next))
  const reading = take(1, readStream(timing, { open }, { signal: closing.signal, onConnection }))
  await vi.waitFor(() => expect(pauses).toHaveLength(1))
  expect((pauses[0]?.at ?? 0) - Date.now()).toBeGreaterThan(20_000)
  closing.abort()
  expect(await reading).toEqual([])
})

test("an error after the signal was aborted is not thrown", async () => {
  const closing = new AbortController()
  const open: OpenStream = async () => {
    closing.abort()
    throw new ParlorError("auth.forbidden", "no", { status: 403 })
  }
  expect(await take(1, readStream(timing, { open }, { signal: closing.signal }))).toEqual([])
})

test("events of other kinds and batches without changes say nothing", async () => {
  const { open } = opening([streamOf(`event: other\ndata: {}\n\n${data([])}${data(changes)}`)])
  const [news] = await take(1, readStream(timing, { open }))
  expect([news?.changes.length, news?.upToDate]).toEqual([2, undefined])
})
