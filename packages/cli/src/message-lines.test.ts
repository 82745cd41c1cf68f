import type { MessageRow } from "@parlor/protocol"
import { expect, test } from "vitest"
import { messageId, messageLines } from "./message-lines.ts"

const message = (id: string, role: "person" | "agent", text: string, more: Partial<MessageRow> = {}): MessageRow =>
  ({ id, role, author: "", parts: [{ type: "text", text }], inbox: null, ...more }) as MessageRow

const messages = [
  message("m1", "person", "first\nand more"),
  message("m2", "agent", "answer \u001b[31m"),
  message("m3", "agent", "of a guest", { author: "critic" }),
]

test("[RBK-1] the newest message is number 1, and each is a line that is safe for a terminal", () => {
  expect(messageLines(messages, "host")).toEqual([
    "1  m3  critic: of a guest",
    "2  m2  host: answer ␛[31m",
    "3  m1  you: first…",
  ])
})

test("[RBK-1] a message is named by its number or its id", () => {
  expect(messageId(messages, "1")).toBe("m3")
  expect(messageId(messages, "3")).toBe("m1")
  expect(messageId(messages, "msg_x")).toBe("msg_x")
  expect(() => messageId(messages, "4")).toThrow("There is no message number 4. There are 3.")
  expect(() => messageId(messages, "0")).toThrow("There is no message number 0")
})
