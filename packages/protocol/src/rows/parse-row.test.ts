import { describe, expect, it, test } from "vitest"
import { type Collection, collections } from "../collections.ts"
import { addedFields } from "./blank-rows.ts"
import { parseRow, parseRows } from "./parse-row.ts"

/** Rows with nothing but the fields they have had from the start. */
const oldest: Readonly<Record<Collection, object>> = {
  status: { title: "Tea" },
  messages: { id: "msg_1", ord: 1, role: "person", state: "done", parts: [], at: 7 },
  deltas: { message: "msg_1", part: 0, kind: "text", n: 0, text: "Hi" },
  queue: {
    id: "msg_1",
    type: "composer_input",
    payload: null,
    mode: "queued",
    position: "a0",
    source: "person",
    version: 1,
    queuedAt: 7,
  },
  shared: { sharedAt: 7 },
  grants: { id: "host.main.search", agent: "host", branch: null, tool: "search", at: 7 },
  turns: {
    id: "trn_1",
    message: "msg_1",
    agent: "host",
    state: "done",
    steps: 1,
    usage: { inputTokens: 1, outputTokens: 1, reasoningTokens: 0, cachedTokens: 0, costMicros: 0 },
    startedAt: 7,
    endedAt: 8,
    error: null,
  },
  asks: { id: "ask_1", turn: "trn_1", kind: "question", title: "Which?", state: "open" },
  slashCommands: { name: "tea", description: "Makes tea." },
  archives: {
    id: "arc_1",
    from: "msg_1",
    to: "msg_2",
    fromOrd: 1,
    toOrd: 2,
    title: "Tea",
    summary: "Tea was made.",
    tokensBefore: 9,
    tokensAfter: 3,
    archivedAt: 7,
    began: 4,
  },
  rollbacks: {
    id: "rbk_1",
    to: "msg_1",
    from: "msg_2",
    toOrd: 1,
    fromOrd: 2,
    scope: "both",
    state: "done",
    at: 7,
    began: 4,
  },
  files: { path: "tea.md", hash: "aa", bytes: 3, by: "person", at: 7 },
  changes: { id: "chg_1", ord: 1, path: "tea.md", before: null, after: "aa", by: "person", at: 7 },
  branches: { branch: "side", at: 7 },
  conversations: { agent: "host", branch: "main", title: "Tea", activityAt: 7, state: "idle" },
}

describe("[LOG-35] a row of an earlier version is read with the fields that were added since", () => {
  test.each(Object.keys(collections) as Collection[])("%s", (collection) => {
    const old = oldest[collection]
    const row = parseRow(collection, JSON.stringify(old))
    expect(row).toEqual({ ...addedFields[collection], ...old })
    expect(collections[collection].safeParse(row).error).toBeUndefined()
    // Each field alone: whichever is missing is found.
    for (const name of Object.keys(addedFields[collection])) {
      const { [name]: _, ...rest } = row as Record<string, unknown>
      expect(parseRow(collection, JSON.stringify(rest))).toHaveProperty(name)
    }
  })

  it("a flag that a row lacks is off", () => {
    const added = Object.values(addedFields).flatMap((fields) => Object.values<unknown>(fields))
    const flags = added.filter((value) => typeof value === "boolean")
    expect(flags.length).toBeGreaterThan(9)
    expect(flags).not.toContain(true)
  })

  it("keeps what a row has, even when it is empty", () => {
    const row = { ...oldest.slashCommands, arguments: [], owner: "mcp" }
    expect(parseRow("slashCommands", JSON.stringify(row))).toEqual(row)
    expect(parseRows("files", undefined)).toEqual([])
    expect(parseRows("files", [{ value: JSON.stringify(oldest.files) }])).toEqual([{ ...oldest.files, turn: null }])
  })
})
