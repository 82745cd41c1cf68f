import { addedFields, type StreamId } from "@parlor/protocol"
import { expect, test } from "vitest"
import type { RowsRead } from "../ports/store.ts"
import { readTurn } from "./read-turn.ts"
import { stateOf } from "./state.ts"

const id = 1 as StreamId
const key = { kind: "conversation", agent: "host", person: "me", branch: "main" } as const
const row = (collection: "status" | "queue" | "turns", value: object) => ({
  collection,
  key: "k",
  ord: null,
  value: JSON.stringify(value),
})

test("[LOG-2] rows written before a field existed are read with its default: decisions never see missing fields", async () => {
  const stream = { id, key, head: 3, control: 3, epoch: 1 }
  const old = { state: "idle", title: "Old", usage: {}, turn: null, held: null }
  const lists = [[row("status", old)], [row("queue", { id: "m", position: "a0", payload: { source: "hi" } })], [], []]
  const read: RowsRead = { stream, lists, cut: [] }
  const { status, queue } = stateOf(read)
  expect(status).toMatchObject({ title: "Old", origin: null, files: 0, latestFile: null, personGrantedTokens: 0 })
  expect(queue[0]).toMatchObject({ id: "m", attachments: [], trigger: null, editedFrom: null })
  const turns = [row("turns", { id: "trn_1", guest: null })]
  const store = { log: { read: async () => ({ stream, lists: [turns], cut: [] }) } }
  expect(await readTurn(store, id, "trn_1")).toEqual({ ...addedFields.turns, id: "trn_1" })
})
