/** Any node takes commands for any conversation, whoever runs it. */
import type { AskRow, QueueRow, Sent } from "@parlor/protocol"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sleep, until } from "../faults/waiting.ts"
import { stageOf } from "./stage.ts"
import { openAsk, Talk, transcript, waiting } from "./talk.ts"
import { onceTool } from "./tools.ts"

/** Longer than the drain delay: what would start by itself has started. */
const DRAINED_MS = 400
/** Longer than a notice takes. */
const HEARD_MS = 200
/** Longer than it takes until a node looks at its streams by itself: from then on it relies on what it is told. */
const LOOKED_MS = 1_500
const LEASE_MS = 10_000
const SOON_MS = 20_000

const stage = stageOf(2)

beforeEach(() => onceTool.reset())

afterEach(() => {
  stage.a.store.thaw()
  stage.a.store.failReads(false)
})

async function busy(text = "use once"): Promise<Talk> {
  const talk = await Talk.begin(stage.a)
  await talk.send(stage.a, text)
  return talk
}

function persons(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith("person: ")).map((line) => line.slice("person: ".length))
}

test("[QUE-1] a message sent to one node while the other runs a turn queues, and runs after it", async () => {
  const talk = await busy()
  const sent = await talk.send(stage.b, "say 2")
  expect(sent).toMatchObject({ outcome: "queued", place: 1 })
  expect(await talk.send(stage.a, "say 3")).toMatchObject({ outcome: "queued", place: 2 })
  onceTool.answer()
  expect(persons(transcript(await talk.rest()))).toEqual(["use once", "say 2", "say 3"])
  await talk.expectSound()
})

test("[QUE-7, QUE-9] edit, move and remove from the other node hold for the owner; of two edits one wins", async () => {
  const talk = await busy()
  const [first, second, third] = [
    await talk.send(stage.a, "say 1"),
    await talk.send(stage.a, "say 2"),
    await talk.send(stage.a, "say 3"),
  ]
  const edits = await Promise.all(
    ["say 4", "say 5"].map((text, i) =>
      talk.try<{ message: QueueRow }>(stage.at(i), "PATCH", `/queue/${first.message}`, { text, version: 1 }),
    ),
  )
  expect(edits.map((answer) => answer.outcome).toSorted()).toEqual(["ok", "refused"])
  expect(edits.find((answer) => answer.outcome === "refused")).toMatchObject({ status: 409, code: "message.changed" })
  await talk.do(stage.b, "DELETE", `/queue/${second.message}`)
  expect(await talk.try(stage.a, "DELETE", `/queue/${second.message}`)).toMatchObject({ code: "message.not-queued" })
  await talk.do(stage.b, "PATCH", `/queue/${third.message}`, { before: first.message, version: 1 })
  const won = edits[0]?.outcome === "ok" ? "say 4" : "say 5"
  expect(waiting(await talk.rows())).toEqual(["say 3", won])
  onceTool.answer()
  expect(persons(transcript(await talk.rest()))).toEqual(["use once", "say 3", won])
  await talk.expectSound()
})

test("[QUE-8] an edit lease taken on the other node keeps the owner from starting it; its release lets it go at once", async () => {
  const talk = await busy()
  const { message } = await talk.send(stage.a, "say 1")
  await talk.do(stage.b, "PUT", `/queue/${message}/lease`, { holder: "a tab" })
  onceTool.answer()
  await talk.until("the end of the first turn", ({ status }) => status.get("status")?.turn === null)
  await sleep(DRAINED_MS)
  expect(waiting(await talk.rows())).toEqual(["say 1"])
  const began = performance.now()
  await talk.do(stage.b, "DELETE", `/queue/${message}/lease`)
  await talk.until("the message to start", ({ turns }) => turns.size === 2)
  console.info(`released on the other node, started after ${(performance.now() - began).toFixed(0)} ms`)
  await talk.rest()
  await talk.expectSound()
})

test("[QUE-8] leases that come and go quickly on the other node never leave the owner asleep", async () => {
  for (let round = 0; round < 10; round++) {
    const talk = await busy("say 1")
    const { message } = await talk.send(stage.b, "say 2", "queued")
    for (let i = 0; i < 6; i++) {
      const leased = await talk.try(stage.b, "PUT", `/queue/${message}/lease`, { holder: "a tab" })
      if (leased.outcome !== "ok") break
      await sleep(round * 7)
      await talk.try(stage.b, "DELETE", `/queue/${message}/lease`)
    }
    await talk.rest()
    await talk.expectSound()
  }
})

test("[QUE-8] a lease that ends elsewhere while the owner reads the queue is not slept through", async () => {
  const talk = await busy()
  const { message } = await talk.send(stage.a, "say 1")
  const lease = () => talk.do(stage.b, "PUT", `/queue/${message}/lease`, { holder: "a tab" })
  await lease()
  onceTool.answer()
  await talk.until("the end of the first turn", ({ status }) => status.get("status")?.turn === null)
  await sleep(LOOKED_MS)
  stage.a.store.holdAnswers()
  await lease()
  await sleep(HEARD_MS)
  await talk.do(stage.b, "DELETE", `/queue/${message}/lease`)
  await sleep(HEARD_MS)
  stage.a.store.thaw()
  await talk.until("the message to start", ({ turns }) => turns.size === 2, stage.b)
  await talk.rest()
  await talk.expectSound()
})

test("[QUE-14, LOG-12] an owner that could not read the queue goes on with its next look, not when its lease has run out", async () => {
  const talk = await Talk.begin(stage.b)
  await talk.send(stage.a, "use once")
  await talk.send(stage.b, "say 1")
  await talk.until("the tool to start", () => onceTool.runs === 1)
  stage.a.store.failReads(true)
  onceTool.answer()
  await sleep(DRAINED_MS)
  stage.a.store.failReads(false)
  const began = performance.now()
  await talk.rest()
  expect(performance.now() - began).toBeLessThan(LEASE_MS / 2)
  expect(persons(transcript(await talk.rows()))).toEqual(["use once", "say 1"])
  await talk.expectSound()
})

test("[QUE-5] hold and resume from the other node", async () => {
  const talk = await busy()
  await talk.send(stage.a, "say 1")
  expect(await talk.do(stage.b, "POST", "/queue/hold")).toMatchObject({ held: { reason: "asked" }, queued: 1 })
  onceTool.answer()
  await talk.until("the end of the first turn", ({ status }) => status.get("status")?.turn === null)
  await sleep(DRAINED_MS)
  expect(waiting(await talk.rows())).toEqual(["say 1"])
  expect(await talk.do(stage.b, "POST", "/queue/resume")).toMatchObject({ held: null, queued: 1 })
  await talk.until("the message to run", ({ turns }) => turns.size === 2)
  await talk.rest()
  await talk.expectSound()
})

test("[TRN-9] a message sent to the other node steers the running turn at its next step", async () => {
  const talk = await busy()
  await talk.until("the tool to start", () => onceTool.runs === 1)
  expect(await talk.send(stage.b, "say 2", "steer")).toMatchObject({ outcome: "steering" })
  onceTool.answer()
  const rows = await talk.rest()
  expect([...rows.turns.values()].map((turn) => turn.state)).toEqual(["done"])
  expect(transcript(rows)).toEqual([
    "person: use once",
    "agent: [once done]",
    "person: say 2",
    "agent: say 2.1 say 2.2",
  ])
  await talk.expectSound()
})

test("[TRN-12, TRN-2] an ask is answered on the other node, the first answer wins, and the turn goes on", async () => {
  const talk = await busy("use ask")
  const rows = await talk.until("the ask", (now) => openAsk(now) !== undefined, stage.b)
  expect((await talk.status(stage.b))?.state).toBe("waiting")
  expect(await talk.send(stage.b, "say 1")).toMatchObject({ outcome: "queued" })
  const path = `/asks/${openAsk(rows)?.id}/answer`
  const began = performance.now()
  const answers = await Promise.all([
    talk.try<{ ask: AskRow }>(stage.b, "POST", path, { answer: "blue" }),
    talk.try<{ ask: AskRow }>(stage.a, "POST", path, { answer: "red" }),
    talk.try<{ ask: AskRow }>(stage.b, "POST", path, { answer: "green" }),
  ])
  expect(answers.filter((answer) => answer.outcome === "ok")).toHaveLength(1)
  expect(answers.filter((answer) => answer.outcome === "refused" && answer.code === "ask.closed")).toHaveLength(2)
  const won = answers.flatMap((answer) => (answer.outcome === "ok" ? [answer.value.ask.answer] : []))[0]
  await talk.until("the turn to end", ({ turns }) => [...turns.values()][0]?.state === "done")
  console.info(`answered elsewhere: the turn had ended ${(performance.now() - began).toFixed(0)} ms later`)
  expect(transcript(await talk.rest())).toContain(`agent: It gave "${won}". use ask`)
  await talk.expectSound()
})

test("[ADR-7] a conversation deleted on one node ends its turn on the other", async () => {
  const talk = await busy("stall")
  await talk.until("a word", ({ deltas }) => deltas.size > 0)
  await talk.do(stage.b, "DELETE", "").catch(() => undefined)
  expect(await talk.try<Sent>(stage.a, "POST", "/messages", { text: "hi" })).toMatchObject({
    code: "conversation.unknown",
  })
  await until(SOON_MS, "the old owner to let its model go", () => stage.a.model.open === 0)
})
