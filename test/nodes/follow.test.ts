/** Readers on one node, a turn on another. */
import { formatOffset } from "@parlor/protocol"
import pg from "pg"
import { expect, test } from "vitest"
import { rawEvents } from "../faults/raw-events.ts"
import { until } from "../faults/waiting.ts"
import { credential } from "../faults/wire.ts"
import { stageOf } from "./stage.ts"
import { type Following, Talk } from "./talk.ts"

const SOON_MS = 20_000
/** Tens of milliseconds on a quiet machine; the tests may run on a busy one. */
const TYPICAL_DELAY_MS = 200

const stage = stageOf(2)

async function caughtUp(talk: Talk, followings: readonly Following[]): Promise<void> {
  await talk.rest()
  const head = (await talk.log()).length
  await until(SOON_MS, "all readers at the end", () => followings.every(({ seen }) => seen.length === head))
}

/** How much later than the first reader the second was shown each event. */
function delays(first: Following, second: Following): number[] {
  const at = new Map(first.seen.map(({ raw, at }) => [raw.seq, at]))
  return second.seen.map((seen) => seen.at - (at.get(seen.raw.seq) ?? seen.at)).sort((x, y) => x - y)
}

function texts(following: Following): string[] {
  return following.seen.map(({ raw }) => raw.text)
}

test("[LOG-6, LOG-3] a reader follows a turn of another node: the same bytes, without gaps, tens of milliseconds later", async () => {
  const talk = await Talk.begin(stage.a)
  const [near, far] = [talk.follow(stage.a), talk.follow(stage.b)]
  await talk.send(stage.a, "say 50")
  await talk.send(stage.b, "say 50")
  await caughtUp(talk, [near, far])
  const log = await talk.expectSound()
  expect(texts(far)).toEqual(log.map((raw) => raw.text))
  expect(texts(near)).toEqual(texts(far))
  const late = delays(near, far)
  const [median, most] = [late[Math.floor(late.length / 2)] ?? 0, late.at(-1) ?? 0]
  console.info(
    `the other node's reader is ${median.toFixed(1)} ms later, at most ${most.toFixed(1)} (${late.length} events)`,
  )
  expect(median).toBeLessThan(TYPICAL_DELAY_MS)
  await Promise.all([near.end(), far.end()])
  expect((await talk.log(stage.b)).map((raw) => raw.text)).toEqual(log.map((raw) => raw.text))
})

test("[LOG-6, LOG-8] a reader that comes in the middle of another node's reply has all of it", async () => {
  const talk = await Talk.begin(stage.a)
  await talk.send(stage.a, "say 25 slowly")
  await talk.until("some words", ({ deltas }) => deltas.size > 2)
  const late = talk.follow(stage.b)
  await caughtUp(talk, [late])
  expect(texts(late)).toEqual((await talk.expectSound()).map((raw) => raw.text))
  await late.end()
})

test("[LOG-14] the feed of one node tells of what happens to the conversations of the other", async () => {
  const over = new AbortController()
  const states: string[] = []
  const talk = await Talk.begin(stage.a)
  const feed = await fetch(`${stage.b.url}/v1/feed?live=sse&offset=${formatOffset(0)}`, {
    headers: credential(),
    signal: over.signal,
  })
  const reading = readFeed(feed, (key, state) => key === talk.name && states.push(state)).catch(() => undefined)
  await talk.send(stage.a, "say 3")
  await until(SOON_MS, "the end in the feed", () => states.includes("busy") && states.at(-1) === "idle")
  over.abort()
  await reading
})

test("[LOG-6] notices that are lost cost time only", async () => {
  const talk = await Talk.begin(stage.a)
  const [near, far] = [talk.follow(stage.a), talk.follow(stage.b)]
  const breaker = new pg.Client({ connectionString: stage.url })
  await breaker.connect()
  let broken = 0
  try {
    await talk.send(stage.a, "say 60 slowly")
    await talk.send(stage.b, "say 10 slowly")
    while ((await talk.status())?.turn !== null) {
      const ended = await breaker.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parlor bell' AND datname = current_database()",
      )
      broken += ended.rowCount ?? 0
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  } finally {
    await breaker.end()
  }
  await caughtUp(talk, [near, far])
  expect(broken).toBeGreaterThan(4)
  expect(texts(far)).toEqual((await talk.expectSound()).map((raw) => raw.text))
  const late = delays(near, far)
  console.info(`with ${broken} connections of the bell broken: at most ${late.at(-1)?.toFixed(0)} ms later`)
  await Promise.all([near.end(), far.end()])
})

async function readFeed(response: Response, see: (key: string, state: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of response.body ?? []) {
    rest += decoder.decode(bytes, { stream: true })
    const frames = rest.split("\n\n")
    rest = frames.pop() ?? ""
    for (const frame of frames.filter((one) => one.startsWith("event: data\n")))
      for (const { event } of rawEvents(frame.slice("event: data\ndata:".length, frame.lastIndexOf("\nid:"))))
        if (event.type === "conversations") see(`${event.value.agent}/${event.value.branch}`, event.value.state)
  }
}
