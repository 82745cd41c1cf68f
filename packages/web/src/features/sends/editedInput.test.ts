import type { ComposerInput, MessageRow } from "@parlor/protocol"
import { expect, it } from "vitest"
import { inputOfMessage } from "./editedInput.ts"

const hash = "a".repeat(64)
const composer: ComposerInput = {
  source: "Ask @critic",
  nodes: [
    { kind: "mention", name: "critic", start: 4, end: 11, raw: "@critic" },
    { kind: "attachment", hash, start: 11, end: 11, raw: "" },
  ],
}
const part = { type: "attachment", hash, name: "a.png", mediaType: "image/png", bytes: 7 }
const row = { id: "msg_1", composer, parts: [{ type: "text", text: composer.source }, part] } as unknown as MessageRow
const named = { ...composer.nodes?.[1], name: "a.png", mediaType: "image/png", bytes: 7 }

it("[RBK-3] a message that is sent again has its chips, and its attachments under their names", () => {
  expect(inputOfMessage(row)).toEqual({ source: "Ask @critic", nodes: [composer.nodes?.[0], named] })
})

it("[RBK-3] with another text it keeps its attachments, and the chips that were not touched", () => {
  expect(inputOfMessage(row, "Please ask @critic")).toMatchObject({
    source: "Please ask @critic",
    nodes: [
      { name: "critic", start: 11, end: 18 },
      { name: "a.png", start: 18 },
    ],
  })
  expect(inputOfMessage(row, "Never mind")).toMatchObject({ source: "Never mind", nodes: [{ name: "a.png" }] })
})

it("[RBK-3] without what its composer said, it has its text", () => {
  expect(inputOfMessage({ ...row, composer: null })).toEqual({ source: "Ask @critic" })
})
