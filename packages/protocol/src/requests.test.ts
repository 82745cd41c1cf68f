import { describe, expect, test } from "vitest"
import { limits } from "./limits.ts"
import {
  eventsQuery,
  historyQuery,
  importQuery,
  keyBody,
  listQuery,
  marksBody,
  sendBody,
  snapshotQuery,
  stopBody,
} from "./requests.ts"

describe("send", () => {
  test("a text is short for a composer input, and both start at once by default", () => {
    expect(sendBody.parse({ text: "hi" })).toEqual({ text: "hi", mode: "immediate" })
    const nodes = [{ kind: "mention", start: 0, end: 2, raw: "hi", name: "hi", target: { id: 7 } }]
    const full = { type: "composer_input", payload: { source: "hi", nodes }, mode: "paused", position: "a0" }
    expect(sendBody.parse(full)).toEqual(full)
  })

  test.each([null, 0, "", [], { a: { b: [1] } }])("[CMP-1, CMP-23] a declared type accepts %j", (payload) => {
    const body = { type: "rpc.call_2:orderPlaced-1", payload, mode: "queued", guests: ["critic"] }
    expect(sendBody.parse(body)).toEqual(body)
  })

  test.each([
    {},
    { text: "" },
    { text: "a\u0000" },
    { text: "\ud800" },
    { text: "hi", payload: { source: "hi" } },
    { text: "hi", type: "composer_input" },
    { type: "composer_input" },
    { type: "Other", payload: {} },
    { type: "", payload: {} },
    { type: "x".repeat(65), payload: {} },
    { type: "2other", payload: {} },
    { type: "a b", payload: {} },
    { type: "spawn", payload: { branch: "b", from: null } },
    { type: "sidecar_answer", payload: {} },
    { type: "other" },
    { type: "other", payload: { n: [Number.POSITIVE_INFINITY] } },
    { type: "composer_input", payload: { source: "x", nodes: [{ kind: "a", start: 0, end: 1, raw: "y" }] } },
    { type: "composer_input", payload: { source: 1 } },
    { type: "composer_input", payload: { source: "x", nodes: [{ kind: "", start: 0, end: 0, raw: "" }] } },
    { type: "composer_input", payload: { source: "x", nodes: [{ kind: "a", start: 0, end: 0, raw: "\ud800" }] } },
    {
      type: "composer_input",
      payload: { source: "x", nodes: [{ kind: "a", start: 0, end: 0, raw: "", x: Number.POSITIVE_INFINITY }] },
    },
    { text: "hi", mode: "later" },
    { text: "hi", sender: "ana" },
    { text: "hi", position: "x".repeat(limits.nameLength + 1) },
    null,
    [],
    "hi",
  ])("%j is not a send", (body) => {
    expect(sendBody.safeParse(body).success).toBe(false)
  })
})

describe("options of a send", () => {
  const accepts = (options: object) => sendBody.safeParse({ text: "hi", ...options }).success

  test("[CMP-17] guest or guests, not both", () => {
    const both = [{ guest: "critic" }, { guests: ["critic"] }, { guest: "critic", guests: ["critic"] }]
    expect(both.map(accepts)).toEqual([true, true, false])
  })

  test("[TRG-1] a trigger has a limited number of headers", () => {
    const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, "v"]))
    const counts = [limits.triggerHeaders, limits.triggerHeaders + 1]
    expect(counts.map((count) => accepts({ trigger: { headers: headers(count) } }))).toEqual([true, false])
  })

  test("flags of a query are true or false", () => {
    expect(listQuery.parse({ archived: "true", ephemeral: "false" })).toMatchObject({
      archived: true,
      ephemeral: false,
    })
    expect(listQuery.safeParse({ archived: "yes" }).success).toBe(false)
  })
})

describe("queries", () => {
  test("have their defaults", () => {
    expect(snapshotQuery.parse({})).toEqual({ messages: limits.snapshotMessagesDefault })
    expect(historyQuery.parse({})).toEqual({ limit: limits.pageMessagesDefault })
    expect(listQuery.parse({})).toEqual({ archived: false, ephemeral: false, limit: limits.listConversationsDefault })
    expect(eventsQuery.parse({})).toMatchObject({ view: "log" })
    expect(importQuery.parse({ agent: "host" })).toEqual({ agent: "host", branch: "main" })
    expect(stopBody.parse({})).toEqual({})
  })

  test.each(["0", "-1", "1.5", "x", "NaN", "Infinity", "", " ", "1e9", String(limits.snapshotMessages + 1)])(
    "%j is not a valid number of messages",
    (messages) => {
      expect(snapshotQuery.safeParse({ messages }).success).toBe(false)
    },
  )

  test.each(["1", "30", String(limits.snapshotMessages)])("%s is a valid number", (messages) => {
    expect(snapshotQuery.parse({ messages })).toEqual({ messages: Number(messages) })
  })

  test.each(["yes", "1", "TRUE", ""])("%j is not a flag", (archived) => {
    expect(listQuery.safeParse({ archived }).success).toBe(false)
  })
})

describe("keys", () => {
  test("by default read and write, act for nobody and do not expire", () => {
    expect(keyBody.parse({ name: "k" })).toEqual({
      name: "k",
      scopes: ["read", "write"],
      actFor: null,
      asMaker: false,
      expiresAt: null,
    })
  })

  test.each(["telegram:", "", "*a", "a*b"])("[ADR-2] %j is not an act-for prefix", (actFor) => {
    expect(keyBody.safeParse({ name: "k", actFor }).success).toBe(false)
  })

  test.each(["telegram:*", "*"])("[ADR-2] %j is an act-for prefix", (actFor) => {
    expect(keyBody.safeParse({ name: "k", actFor }).success).toBe(true)
  })
})

test("marks accept known fields only", () => {
  expect(marksBody.parse({})).toEqual({})
  expect(marksBody.parse({ title: "", read: true })).toEqual({ title: "", read: true })
  for (const body of [{ title: "x".repeat(limits.titleLength + 1) }, { pinned: 1 }, { unread: true }, { title: null }])
    expect(marksBody.safeParse(body).success).toBe(false)
})
