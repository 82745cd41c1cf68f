/** Three nodes take messages for the same conversations: each runs once, in order, one at a time. */
import type { Sent } from "@parlor/protocol"
import { expect, test } from "vitest"
import { stageOf } from "./stage.ts"
import { Talk, transcript } from "./talk.ts"

const MESSAGES = 40

const stage = stageOf(3, { settings: { drainDelayMs: 5 } })

function persons(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith("person: "))
}

test(`[QUE-14, QUE-3, TRN-1] ${MESSAGES} messages sent to the nodes in turn run once each, in order, one at a time`, async () => {
  const talk = await Talk.begin(stage.a)
  const texts = Array.from({ length: MESSAGES }, (_, i) => `say ${1 + (i % 3)}${" ".repeat(i % 2)} no ${i}`)
  for (const [i, text] of texts.entries()) await talk.send(stage.at(i), text)
  expect(persons(transcript(await talk.rest()))).toEqual(texts.map((text) => `person: ${text}`))
  const log = await talk.expectSound()
  const owners = [0, 1, 2].map(
    (i) => log.filter(({ event }) => stage.at(i).store.written.has(event.headers.txid)).length,
  )
  console.info(`events written by each node: ${owners.join(", ")}`)
})

test("[QUE-14, TRN-1] messages sent to all nodes at once run once each, one at a time", async () => {
  const talk = await Talk.begin(stage.a)
  const texts = Array.from({ length: MESSAGES }, (_, i) => `say 1 no ${i}`)
  const sent = await Promise.all(texts.map((text, i) => talk.send(stage.at(i), text)))
  expect(sent.filter(({ outcome }) => outcome === "started").length).toBeLessThan(MESSAGES)
  const said = persons(transcript(await talk.rest()))
  expect(said.toSorted()).toEqual(texts.map((text) => `person: ${text}`).toSorted())
  await talk.expectSound()
})

test("[QUE-11] the same key on all nodes at once is one message with one answer; another body is refused", async () => {
  for (let round = 0; round < 5; round++) {
    const talk = await Talk.begin(stage.a)
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, i) => talk.try<Sent>(stage.at(i), "POST", "/messages", { text: "say 1" }, "a key")),
    )
    const messages = answers.map((answer) => (answer.outcome === "ok" ? answer.value.message : JSON.stringify(answer)))
    expect(new Set(messages).size).toBe(1)
    const other = await talk.try<Sent>(stage.at(round), "POST", "/messages", { text: "say 2" }, "a key")
    expect(other).toMatchObject({ outcome: "refused", code: "idempotency.reused" })
    expect(persons(transcript(await talk.rest()))).toEqual(["person: say 1"])
    await talk.expectSound()
  }
})

test("[TRN-15, LOG-1] many conversations over all nodes", async () => {
  const talks = await Promise.all(Array.from({ length: 6 }, (_, i) => Talk.begin(stage.at(i))))
  await Promise.all(
    talks.map(async (talk, t) => {
      for (let i = 0; i < 8; i++) await talk.send(stage.at(t + i), `say 2 no ${i}`)
    }),
  )
  for (const talk of talks) {
    expect(persons(transcript(await talk.rest()))).toHaveLength(8)
    await talk.expectSound()
  }
})
