import { says, scenario } from "@parlor/testing"
import { expect, test } from "vitest"
import config from "./parlor.config.ts"

test("the barista brews what was ordered", async () => {
  const talk = await scenario(config, {
    agent: "barista",
    model: [{ call: "brew", input: { drink: "tea" } }, says("Here is your tea.")],
  })
  await talk.send("A tea, please")
  expect(await talk.transcript()).toEqual([
    "person: A tea, please",
    'agent: [brew done: {"cup":"tea","sugar":0,"ready":true}]',
    "agent: Here is your tea.",
  ])
})
