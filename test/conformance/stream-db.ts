/** A conversation in StreamDB, read the way the tests compare it. */
import type { DurableStreamOptions } from "@durable-streams/client"
import { createStateSchema, createStreamDB } from "@durable-streams/state/db"
import { type Collection, collections, type RowOf, wholeRow, withDeltas } from "@parlor/protocol"

export async function openStreamDb(streamOptions: DurableStreamOptions) {
  const state = createStateSchema({
    status: define("status"),
    messages: define("messages"),
    deltas: define("deltas"),
    queue: define("queue"),
    turns: define("turns"),
  })
  const db = createStreamDB({ streamOptions, state, live: "sse" })
  await db.preload()
  const rows = <C extends keyof typeof state>(name: C): Map<string, RowOf<C>> =>
    new Map([...db.collections[name].entries()].map(([key, row]) => [key, wholeRow(name, ownFields(row) as RowOf<C>)]))
  return {
    utils: db.utils,
    rows,
    all: () => ({
      status: rows("status"),
      messages: rows("messages"),
      queue: rows("queue"),
      turns: rows("turns"),
    }),
    /** The agent's latest text, as far as it was streamed. */
    reply: () => {
      const said = [...rows("messages").values()].filter((row) => row.role === "agent")
      const last = said.toSorted((a, b) => a.ord - b.ord).at(-1)
      const parts = last === undefined ? [] : withDeltas(last, rows("deltas").values()).parts
      return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    },
    close: () => db.close(),
  }
}

/** StreamDB wants the key in the row; an event's key fits every collection. */
function define<C extends Collection>(type: C) {
  return { schema: collections[type], type, primaryKey: "key" }
}

/** A row without the fields StreamDB adds. */
function ownFields(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !/^(key|_seq|\$.*)$/.test(name)))
}
