import { scenario } from "@parlor/testing"
import { expect, test } from "vitest"
import agents from "./parlor.config.ts"

test("the croupier rolls as many dice as asked", async () => {
  const talk = await scenario(agents, { model: [{ call: "roll", input: { dice: 3 } }, "That makes twelve."] })
  await talk.send("Three dice, please")
  const [, rolled, said] = await talk.messages()
  const tool = rolled?.parts[0]
  expect(tool).toMatchObject({ type: "tool", name: "roll", state: "done" })
  expect(tool?.type === "tool" ? tool.output : null).toHaveLength(3)
  expect(said?.parts).toEqual([{ type: "text", text: "That makes twelve." }])
  await talk.close()
})

test("more dice than there are is a mistake the model sees", async () => {
  const talk = await scenario(agents, { model: [{ call: "roll", input: { dice: 99 } }, "At most ten."] })
  await talk.send("99 dice")
  expect(await talk.transcript()).toEqual([
    "person: 99 dice",
    'agent: [roll failed: "tool.input"]',
    "agent: At most ten.",
  ])
  await talk.close()
})
