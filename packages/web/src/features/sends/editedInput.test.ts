import type { ComposerInput, MessageRow } from "@parlor/protocol"
import { expect, it } from "vitest"
import { editedInput } from "./editedInput.ts"

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
const edited = (text: string) => ({ message: "msg_1", text })

it("[RBK-3] a message that is edited comes back with its chips, and with what was attached under its name", () => {
  expect(editedInput(edited("Ask @critic"), [row])).toEqual({
    source: "Ask @critic",
    nodes: [composer.nodes?.[0], { ...composer.nodes?.[1], name: "a.png", mediaType: "image/png", bytes: 7 }],
  })
})

it("[RBK-3] without what its composer said, its text comes back", () => {
  expect(editedInput(edited("Ask @critic"), [])).toEqual({ source: "Ask @critic" })
  expect(editedInput(edited("Something else"), [row])).toEqual({ source: "Something else" })
  expect(editedInput(edited("Plain"), [{ ...row, composer: null }])).toEqual({ source: "Plain" })
})
