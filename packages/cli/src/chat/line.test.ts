import { expect, test } from "vitest"
import { asking } from "../../test/rows.ts"
import { readLine } from "./line.ts"

test.each([
  ["hello there ", { kind: "send", text: "hello there" }],
  ["   ", { kind: "nothing" }],
  ["//help", { kind: "send", text: "/help" }],
  ["/queue", { kind: "queue" }],
  ["/edit 2 no, blue\nand green", { kind: "edit", ref: "2", text: "no, blue\nand green" }],
  ["/edit 2", { kind: "edit", ref: "2", text: "" }],
  ["/now 1", { kind: "now", ref: "1" }],
  ["/remove msg_1", { kind: "remove", ref: "msg_1" }],
  ["/move 3 before 1", { kind: "move", ref: "3", side: "before", anchor: "1" }],
  ["/steer the other way", { kind: "steer", text: "the other way" }],
  ["/hold", { kind: "hold" }],
  ["/quit", { kind: "quit" }],
  ["/answer", { kind: "wrong", detail: "Usage: /answer [N] value" }],
  ["/now", { kind: "wrong", detail: "Usage: /now N" }],
  ["/move 3", { kind: "wrong", detail: "Usage: /move N before M, or /move N after M" }],
  ["y", { kind: "send", text: "y" }],
])("%j", (line, command) => {
  expect(readLine(line, [])).toEqual(command)
})

test("an unknown command is not sent to the agent", () => {
  expect(readLine("/etc/passwd is what?", [])).toMatchObject({ kind: "wrong" })
})

test("[TRN-12] plain text queues while a question is open, unless it is marked as the answer or is clearly one", () => {
  const approval = asking("approval")
  expect(readLine("y", [approval])).toEqual({ kind: "answer", ref: "ask_1", text: "y" })
  expect(readLine("yes, but why?", [approval])).toMatchObject({ kind: "send" })
  const open = asking("question")
  expect(readLine("Ada", [open])).toMatchObject({ kind: "send" })
  expect(readLine("/answer Ada Lovelace", [open])).toEqual({ kind: "answer", ref: "1", text: "Ada Lovelace" })
  const other = asking("question", { id: "ask_2" as typeof open.id })
  expect(readLine("/answer 2 Ada", [open, other])).toEqual({ kind: "answer", ref: "ask_2", text: "Ada" })
  expect(readLine("/answer ask_2 Ada", [open, other])).toEqual({ kind: "answer", ref: "ask_2", text: "Ada" })
})

test("[CMP-5] the agent's commands are sent to it; chat commands are not, and // escapes them", () => {
  const commands = ["review", "queue"]
  expect(readLine("/review 12 @critic", [], commands)).toEqual({ kind: "send", text: "/review 12 @critic" })
  expect(readLine("/queue", [], commands)).toEqual({ kind: "queue" })
  expect(readLine("//queue", [], commands)).toEqual({ kind: "send", text: "/queue" })
  expect(readLine("/other", [], commands)).toMatchObject({ kind: "wrong" })
})
