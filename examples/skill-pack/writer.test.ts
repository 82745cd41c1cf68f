import { fileURLToPath } from "node:url"
import { scenario } from "@parlor/testing"
import { expect, test } from "vitest"
import config from "./parlor.config.ts"

const folder = fileURLToPath(new URL(".", import.meta.url))

test("each skill is one line for the model and a command for the person", async () => {
  const talk = await scenario(config, { folder, model: ["Ready."] })
  await talk.send("hello")
  const { instructions = "" } = talk.requests()[0] ?? {}
  expect(instructions.split("\n").filter((line) => line.includes("release-notes"))).toHaveLength(1)
  expect(instructions).not.toContain("Begin with what people can do now")
  expect((await talk.slashCommands()).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["plain-words", "release-notes"]),
  )
  await talk.close()
})

test("the model reads one when it needs it, and files beside it", async () => {
  const talk = await scenario(config, {
    folder,
    model: [
      { call: "skill_read", input: { name: "release-notes" } },
      { call: "skill_read", input: { name: "release-notes", path: "template.md" } },
      "## New\n\nNothing breaks.",
    ],
  })
  await talk.send("Release notes, please")
  const seen = JSON.stringify(talk.requests().at(-1)?.messages)
  expect(seen).toContain("Begin with what people can do now")
  expect(seen).toContain("## Mended")
  await talk.close()
})

test("a person calls several at once", async () => {
  const talk = await scenario(config, { folder, model: ["Done."] })
  await talk.send("/release-notes /plain-words for version two")
  const seen = JSON.stringify(talk.requests()[0]?.messages)
  expect(seen).toContain("Begin with what people can do now")
  expect(seen).toContain("One thought to a sentence")
  await talk.close()
})
