import type { AgentView } from "@parlor/protocol"
import { expect, test } from "vitest"
import { readLine } from "./send.ts"

const parlor = {
  agents: async (): Promise<readonly AgentView[]> =>
    ["host", "critic"].map((name) => ({ name, description: "", model: "", slashCommands: [] })),
}

test.each([
  [["hello"], undefined, { agent: undefined, text: "hello" }],
  [["critic"], undefined, { agent: undefined, text: "critic" }],
  [["critic", "what", "now"], undefined, { agent: "critic", text: "what now" }],
  [["what", "now"], undefined, { agent: undefined, text: "what now" }],
  [["critic", "of", "art"], "host", { agent: "host", text: "critic of art" }],
])("%j with --agent %s", async (words, named, expected) => {
  expect(await readLine(parlor, words, named)).toEqual(expected)
})

test("an empty message is refused", async () => {
  await expect(readLine(parlor, [" "], undefined)).rejects.toThrow("message is empty")
  await expect(readLine(parlor, [], undefined)).rejects.toThrow("message is empty")
})
