import type { QueueRow, SlashCommandRow } from "@parlor/protocol"
import { expect, it } from "vitest"
import { editOf } from "./editOf.ts"

const help: SlashCommandRow = { name: "help", description: "", arguments: [], owner: null }
const row = (payload: unknown, type = "composer_input") => ({ type, payload }) as QueueRow
const mention = { kind: "mention", name: "critic", start: 4, end: 11, raw: "@critic" }
const along = { kind: "attachment", hash: "a".repeat(64), start: 11, end: 11, raw: "" }

it("[QUE-7] an edit keeps the chips it does not touch, and what is attached", () => {
  const waiting = row({ source: "Ask @critic", nodes: [mention, along] })
  expect(editOf(waiting, "Please ask @critic", [help])).toEqual({
    payload: {
      source: "Please ask @critic",
      nodes: [
        { ...mention, start: 11, end: 18 },
        { ...along, start: 18, end: 18 },
      ],
    },
  })
  expect(editOf(waiting, "Ask nobody", [help])).toEqual({
    payload: { source: "Ask nobody", nodes: [{ ...along, start: 10, end: 10 }] },
  })
})

it("[CMP-5] a command that is typed into it is one; plain text stays plain text", () => {
  expect(editOf(row({ source: "Help" }), "/help me", [help])).toMatchObject({
    payload: { nodes: [{ kind: "slash_command", name: "help" }] },
  })
  expect(editOf(row({ source: "Help" }), "Help @critic", [help])).toEqual({ text: "Help @critic" })
  expect(editOf(row({ a: 1 }, "deploy.request"), "words", [help])).toEqual({ text: "words" })
  expect(editOf(undefined, "words", [help])).toEqual({ text: "words" })
})
