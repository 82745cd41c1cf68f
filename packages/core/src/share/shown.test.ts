import { blankMessage, blankStatus, type MessageRow, type Part, type StoredChange, type TxId } from "@parlor/protocol"
import { expect, test } from "vitest"
import { shownChange, shownMessage, shownStatus } from "./shown.ts"

const NOTHING = { name: false, details: false, files: false }
const DETAILS = { ...NOTHING, details: true }
const tool = (name: string): Part => ({
  type: "tool",
  call: "call_1",
  name,
  input: { q: "private input" },
  state: "done",
  output: "private output",
  kept: "0".repeat(64),
  error: null,
})
const parts: readonly Part[] = [
  { type: "reasoning", text: "private thought" },
  { type: "text", text: "Said." },
  { type: "context", kind: "memory", title: "private", content: "private", metadata: null },
  tool("search"),
  tool("memory_read"),
  { type: "notice", code: "x", text: "Stopped." },
]
const message = {
  ...blankMessage,
  id: "msg_1",
  ord: 1,
  role: "agent",
  author: "critic",
  state: "done",
  parts: [...parts],
  model: "private-model",
  feedback: "down",
  at: 5,
} as MessageRow

test("[SHR-3] a message keeps its words and the number of its parts, and nothing private", () => {
  const shown = shownMessage(message, NOTHING)
  expect(JSON.stringify(shown)).not.toContain("private")
  expect(shown.parts).toHaveLength(parts.length)
  expect(shown).toMatchObject({ id: "msg_1", author: "critic", at: 5, model: null })
  expect(shown).not.toHaveProperty("feedback")
})

test("[SHR-3] with details, reasoning and tools are shown, memory is not", () => {
  const [thought, , context, search, memory] = shownMessage(message, DETAILS).parts
  expect(thought).toEqual(parts[0])
  expect(JSON.stringify([context, memory])).not.toContain("private")
  expect(search).toMatchObject({ input: { q: "private input" }, output: "private output" })
  expect(search).not.toHaveProperty("kept")
})

test("[SHR-3] the author of a person's message is not named", () => {
  expect(shownMessage({ ...message, role: "person", author: "ana" }, DETAILS).author).toBe("")
})

test("[SHR-3] the status tells the title and whether a reply is being written, and nothing else", () => {
  const status = {
    ...blankStatus,
    title: "T",
    state: "busy",
    preview: "private",
    labels: ["private"],
    shares: 3,
  } as const
  const shown = shownStatus({ ...status, labels: [...status.labels] })
  expect(shown).toEqual({ ...blankStatus, title: "T", state: "busy" })
})

test.each(["queue", "turns", "asks", "files", "changes", "branches", "rollbacks", "archives", "slashCommands"])(
  "[SHR-3] a change of %s is not shown",
  (collection) => {
    const change: StoredChange = {
      seq: 1,
      collection,
      key: "k",
      operation: "insert",
      value: "{}",
      txid: "t" as TxId,
      at: 1,
    }
    expect(shownChange(change, DETAILS)).toBeUndefined()
  },
)
