/**
 * A node that is alive and cannot reach the database for longer than its lease, as a stopped process or a cut cable
 * makes one: the other node takes over, and the first writes nothing more when it is back.
 */
import { afterEach, beforeEach, expect, test } from "vitest"
import { sleep, until } from "../faults/waiting.ts"
import { stageOf } from "./stage.ts"
import { openAsk, Talk, transcript } from "./talk.ts"
import { onceTool } from "./tools.ts"

/** So long that a node which is only slow keeps what is its own. */
const LEASE_MS = 1_500
const SOON_MS = 20_000
const QUIET_MS = 300

const stage = stageOf(2, { settings: { leaseMs: LEASE_MS, renewMs: 250, sweepMs: 150 } })

beforeEach(() => onceTool.reset())

afterEach(() => stage.a.store.thaw())

/** Back in touch: whatever the node still wanted to write is refused, and its model is let go. */
async function thawed(talk: Talk): Promise<number> {
  const head = (await talk.log(stage.b)).length
  const [before, owned] = [stage.a.store.fenced, new Set(stage.a.store.written)]
  stage.a.store.thaw()
  await until(SOON_MS, "the woken node to let go", () => stage.a.model.open === 0)
  await sleep(QUIET_MS)
  const log = await talk.expectSound()
  expect(log).toHaveLength(head)
  expect([...stage.a.store.written].filter((txid) => !owned.has(txid))).toEqual([])
  return stage.a.store.fenced - before
}

test("[TRN-1, TRN-5, TRN-7, TRN-18] in the middle of a reply: one end, no text twice, and every late write is refused", async () => {
  const talk = await Talk.begin(stage.a)
  await talk.send(stage.a, "say 40 slowly")
  await talk.until("some words", ({ deltas }) => deltas.size > 2)
  stage.a.store.freeze()
  const rows = await talk.until("the other node to finish", ({ turns }) => isDone([...turns.values()]), stage.b)
  expect(transcript(rows)).toEqual([
    "person: say 40 slowly",
    expect.stringMatching(/^agent: say 40 slowly\.1 .*say 40 slowly\.40$/),
  ])
  expect(transcript(rows)[1]?.match(/slowly\.1 /g)).toHaveLength(1)
  const refused = await thawed(talk)
  console.info(`writes refused to the woken node: ${refused}`)
  expect(refused).toBeGreaterThan(0)
})

test("[TRN-6, TRN-7] between the start of a tool and its result: it is not run again, and its late result is refused", async () => {
  const talk = await Talk.begin(stage.a)
  await talk.send(stage.a, "use once")
  await talk.until("the tool to have started", () => onceTool.runs === 1)
  stage.a.store.freeze()
  const rows = await talk.until("the other node to finish", ({ turns }) => isDone([...turns.values()]), stage.b)
  expect(transcript(rows)[1]).toBe("agent: [once unknown]")
  onceTool.answer()
  await sleep(QUIET_MS)
  await thawed(talk)
  expect(onceTool.runs).toBe(1)
})

test("[TRN-7, TRN-12] while an ask is open: it stays open, and is answered to the node that took over", async () => {
  const talk = await Talk.begin(stage.a)
  await talk.send(stage.a, "use ask")
  const asked = openAsk(await talk.until("the ask", (rows) => openAsk(rows) !== undefined))
  stage.a.store.freeze()
  await until(SOON_MS, "the other node to take over", () => owns(talk))
  await talk.do(stage.b, "POST", `/asks/${asked?.id}/answer`, { answer: "blue" })
  const rows = await talk.until("the other node to finish", ({ turns }) => isDone([...turns.values()]), stage.b)
  expect(transcript(rows).at(-1)).toBe('agent: It gave "blue". use ask')
  await thawed(talk)
})

test("[QUE-14] before a queued message starts: it runs once, on the other node", async () => {
  const talk = await Talk.begin(stage.a)
  await talk.send(stage.a, "say 3")
  await talk.send(stage.a, "say 2", "queued")
  await talk.until("the end of the first turn", ({ turns }) => isDone([...turns.values()]))
  stage.a.store.freeze()
  const rows = await talk.until("the queued one to end", ({ turns }) => isDone([...turns.values()], 2), stage.b)
  expect(transcript(rows).filter((line) => line.startsWith("person"))).toEqual(["person: say 3", "person: say 2"])
  await thawed(talk)
})

/** The other node has written to it in its own name. */
async function owns(talk: Talk): Promise<boolean> {
  const log = await talk.log(stage.b)
  return log.some(({ event }) => event.headers.txid.startsWith("rcv") && stage.b.store.written.has(event.headers.txid))
}

function isDone(turns: readonly { readonly state: string }[], count = 1): boolean {
  return turns.length === count && turns.every((turn) => turn.state === "done")
}
