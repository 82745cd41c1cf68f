import { scenario } from "@parlor/testing"
import { expect, test } from "vitest"
import agents from "./parlor.config.ts"

test("/search puts the articles before the model, marked, and keeps what was typed", async () => {
  const talk = await scenario(agents, { model: ["In the yard (Bicycles)."] })
  await talk.send("/search bicycles where does mine go?")
  expect(await talk.transcript()).toEqual([
    "person: /search bicycles where does mine go?[article: Bicycles]",
    "agent: In the yard (Bicycles).",
  ])
  const seen = JSON.stringify(talk.requests()[0]?.messages)
  expect(seen).toContain("Bicycles stand in the yard")
  expect(talk.requests()[0]?.instructions).not.toContain("Bicycles stand in the yard")
  await talk.close()
})

test("several in one message are all looked up, and a message without a command is just answered", async () => {
  const talk = await scenario(agents, { model: ["Both.", "Hello."] })
  await talk.send("/search quiet hours and /search guests")
  const [message] = await talk.messages()
  const titles = message?.parts.flatMap((part) => (part.type === "context" ? [part.title] : []))
  expect(titles?.sort()).toEqual(["Bicycles", "Guests", "Quiet hours"])
  await talk.send("hi")
  expect((await talk.transcript()).at(-1)).toBe("agent: Hello.")
  await talk.close()
})

test("the command is offered from the first moment", async () => {
  const talk = await scenario(agents)
  const { slashCommands } = await talk.runtime.snapshot(
    { agent: "librarian", person: "ana", branch: "main" },
    { messages: 1 },
  )
  expect(slashCommands.map(({ name }) => name)).toContain("search")
  await talk.close()
})
