/** A turn runs on one node and is stopped, or replaced, from another. */
import type { Sent, TurnRow } from "@parlor/protocol"
import { expect, test } from "vitest"
import { sleep, until } from "../faults/waiting.ts"
import { stageOf } from "./stage.ts"
import { Talk, transcript, waiting } from "./talk.ts"

const ACKNOWLEDGED_MS = 500
/** The machine is late now and then, a stop never is: of so many the quickest counts. */
const ROUNDS = 3
/** Much less than it takes until the old owner renews its leases. */
const LETS_GO_MS = 5_000
const RENEW_MS = 60_000
const SOON_MS = 20_000
const QUIET_MS = 300

const stage = stageOf(2, { settings: { leaseMs: 3 * RENEW_MS, renewMs: RENEW_MS } })

type Stopped = { readonly turn: string; readonly state: string }

test("[TRN-4, TRN-5] a stop from another node is acknowledged within 500 ms; what readers saw is what is kept, and nothing follows", async () => {
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const talk = await Talk.begin(stage.a)
    const reader = talk.follow(stage.a)
    const { turn } = await talk.send(stage.a, "say 200 slowly")
    await until(SOON_MS, "some words", () => reader.text().length > 40)
    took.push(await stopped(talk, turn))
    const head = (await talk.log()).length
    await until(LETS_GO_MS, "the old owner to let its model go", () => stage.a.model.open === 0)
    await sleep(QUIET_MS)
    const log = await talk.expectSound()
    expect(log).toHaveLength(head)
    await until(SOON_MS, "the reader at the end", () => reader.seen.length === head)
    expect(transcript(await talk.rows()).at(-1)).toBe(`agent (truncated): ${reader.text().trim()}`)
    expect((await talk.status())?.held).toMatchObject({ reason: "stopped" })
    await reader.end()
  }
  console.info(`stops from the other node took ${inMs(took)}`)
  expect(Math.min(...took)).toBeLessThan(ACKNOWLEDGED_MS)
})

test("[TRN-4] also when the model stalls, and the old owner lets the stalled call go", async () => {
  const [took, told]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const talk = await Talk.begin(stage.a)
    const { turn } = await talk.send(stage.a, "stall")
    await talk.until("the words before the stall", ({ deltas }) => deltas.size > 0)
    await until(SOON_MS, "the model to stall", async () => textOfDeltas(await talk.log()).includes("stall.3"))
    took.push(await stopped(talk, turn))
    const letsGo = () => until(LETS_GO_MS, "the old owner to let its model go", () => stage.a.model.open === 0)
    told.push(await elapsed(letsGo))
    expect(transcript(await talk.rows())).toEqual(["person: stall", "agent (truncated): stall.1 stall.2 stall.3"])
    await talk.expectSound()
  }
  console.info(`stalled: stops took ${inMs(took)}, the model was let go ${inMs(told)} later`)
  expect(Math.min(...took)).toBeLessThan(ACKNOWLEDGED_MS)
})

test("[TRN-4, TRN-1] stops from both nodes at once end the turn once, and each is told so", async () => {
  for (let round = 0; round < 12; round++) {
    const talk = await Talk.begin(stage.a)
    const { turn } = await talk.send(stage.at(round), "say 100 slowly")
    await talk.until("a word", ({ deltas }) => deltas.size > 0)
    const answers = await Promise.all(
      [0, 1, 0, 1].map((node) => talk.try<Stopped>(stage.at(node), "POST", "/stop", { turn })),
    )
    for (const answer of answers)
      if (answer.outcome !== "ok") expect(answer).toMatchObject({ outcome: "refused", status: 409, code: "turn.over" })
    expect(answers.some((answer) => answer.outcome === "ok")).toBe(true)
    const turns = [...(await talk.rest()).turns.values()].map((row: TurnRow) => row.state)
    expect(turns).toEqual(["stopped"])
    await talk.expectSound()
  }
})

test("[QUE-10] send now from another node: the turn stops, that message is next, the others keep their order", async () => {
  const talk = await Talk.begin(stage.a)
  await talk.send(stage.a, "say 200 slowly")
  for (const text of ["say 1", "say 2", "say 3"]) await talk.send(stage.a, text)
  const rows = await talk.until("words and a queue", ({ deltas, queue }) => deltas.size > 1 && queue.size === 3)
  const second = [...rows.queue.values()].find((row) => (row.payload as { source: string }).source === "say 2")
  const now = await talk.do<Sent>(stage.b, "POST", `/queue/${second?.id}/send-now`)
  expect(now).toMatchObject({ message: second?.id, outcome: "started" })
  const said = transcript(await talk.rest())
  expect(said.filter((line) => line.startsWith("person"))).toEqual([
    "person: say 200 slowly",
    "person: say 2",
    "person: say 1",
    "person: say 3",
  ])
  expect(said[1]).toMatch(/^agent \(truncated\): say/)
  await until(LETS_GO_MS, "the old owner to let its model go", () => stage.a.model.open === 0)
  await talk.expectSound()
})

test("[QUE-10, QUE-14] send now from both nodes at once: each message still runs once", async () => {
  for (let round = 0; round < 6; round++) {
    const talk = await Talk.begin(stage.a)
    await talk.send(stage.at(round), "say 100 slowly")
    const sent = [await talk.send(stage.a, "say 1", "queued"), await talk.send(stage.b, "say 2", "queued")]
    const answers = await Promise.all(
      sent.map(({ message }, i) => talk.try<Sent>(stage.at(i), "POST", `/queue/${message}/send-now`)),
    )
    for (const answer of answers)
      if (answer.outcome !== "ok") expect(answer).toMatchObject({ outcome: "refused", status: 409 })
    const said = transcript(await talk.rest()).filter((line) => line.startsWith("person"))
    expect(said.toSorted()).toEqual(["person: say 1", "person: say 100 slowly", "person: say 2"])
    await talk.expectSound()
  }
})

test("[QUE-5] after a stop from another node the queue is held, and goes on from either", async () => {
  const talk = await Talk.begin(stage.a)
  const { turn } = await talk.send(stage.a, "say 100 slowly")
  await talk.send(stage.b, "say 1")
  await talk.do(stage.b, "POST", "/stop", { turn })
  await sleep(QUIET_MS)
  expect(waiting(await talk.rows())).toEqual(["say 1"])
  await talk.do(stage.a, "POST", "/queue/resume")
  const rows = await talk.until("the queued message to run", ({ turns }) => turns.size === 2)
  expect(rows.queue.size).toBe(0)
  await talk.rest()
  await talk.expectSound()
})

/** How long a stop from the other node takes. */
function stopped(talk: Talk, turn: string | undefined): Promise<number> {
  return elapsed(async () =>
    expect(await talk.do<Stopped>(stage.b, "POST", "/stop", { turn })).toEqual({ turn, state: "stopped" }),
  )
}

function inMs(times: readonly number[]): string {
  return times.map((ms) => `${ms.toFixed(0)} ms`).join(", ")
}

async function elapsed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function textOfDeltas(log: Awaited<ReturnType<Talk["log"]>>): string {
  return log.map(({ event }) => (event.type === "deltas" ? event.value.text : "")).join("")
}
