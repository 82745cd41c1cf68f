import { scenario } from "@parlor/testing"
import { expect, test } from "vitest"
import config from "./parlor.config.ts"

test("guests answer in the planner's conversation, in order, each hearing the ones before", async () => {
  const talk = await scenario(config, {
    agent: "planner",
    model: {
      planner: ["1. Pack. 2. Move.", "3. Book the van first."],
      critic: ["The van is not booked. Book it today."],
      scribe: ["Decided: pack, move. Open: the van."],
    },
  })
  await talk.send("We move on Saturday")
  await talk.send("@critic @scribe what do you say?")
  await talk.send("Take that up")
  expect(await talk.transcript()).toEqual([
    "person: We move on Saturday",
    "agent: 1. Pack. 2. Move.",
    "person: @critic @scribe what do you say?",
    "critic: The van is not booked. Book it today.",
    "scribe: Decided: pack, move. Open: the van.",
    "person: Take that up",
    "agent: 3. Book the van first.",
  ])
  const heard = JSON.stringify(talk.requests("scribe")[0]?.messages)
  expect(heard).toContain('<from agent=\\"critic\\">The van is not booked')
  expect(talk.requests("critic")[0]?.tools).toEqual([])
  expect(JSON.stringify(await talk.messages())).not.toContain("<from agent")
  await talk.close()
})
