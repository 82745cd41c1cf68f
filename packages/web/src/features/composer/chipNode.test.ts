import { getSchema } from "@tiptap/core"
import { Document } from "@tiptap/extension-document"
import { Paragraph } from "@tiptap/extension-paragraph"
import { Text } from "@tiptap/extension-text"
import { describe, expect, it } from "vitest"
import { docOf } from "../draft/doc.ts"
import { ChipNode, labelOf, parsedChip } from "./chipNode.ts"

const schema = getSchema([Document, Paragraph, Text, ChipNode])
const critic = { kind: "mention", name: "critic" } as const

describe("a chip in the editor", () => {
  it("[CMP-3] is one thing among the text, and carries what it refers to", () => {
    const input = { source: "ask @critic", nodes: [{ ...critic, start: 4, end: 11, raw: "@critic" }] }
    const doc = schema.nodeFromJSON(docOf(input))
    doc.check()
    expect(doc.toJSON()).toEqual(docOf(input))
    expect(doc.firstChild?.lastChild).toMatchObject({ isAtom: true, isInline: true, nodeSize: 1 })
  })

  it("shows the word one would have typed, and a name in place of a hash", () => {
    expect(labelOf(critic)).toBe("@critic")
    expect(labelOf({ kind: "file", path: "my file.ts" })).toBe("@my%20file.ts")
    expect(labelOf({ kind: "attachment", hash: "a".repeat(64) })).toBe("attachment")
    expect(labelOf({ kind: "attachment", hash: "a".repeat(64), name: "a.png" } as never)).toBe("a.png")
  })

  it("is taken from a clipboard only when it is one", () => {
    expect(parsedChip(JSON.stringify(critic))).toEqual(critic)
    expect(parsedChip(JSON.stringify({ kind: "ticket", raw: "T-7" }))).toEqual({ kind: "ticket", raw: "T-7" })
    for (const bad of [null, "", "{", "[]", "7", '{"kind":"mention"}', '{"kind":"text","raw":"x"}', '{"kind":4}'])
      expect(parsedChip(bad)).toBeNull()
  })
})
