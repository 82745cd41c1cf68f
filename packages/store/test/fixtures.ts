/** Short appends and rows for the contract suite. */
import type { Append, Appended, RowChange, Store, Stream } from "@parlor/core"
import type { Collection, StreamId, TxId } from "@parlor/protocol"
import { expect } from "vitest"

const MAX_SLICES = 5_000

let people = 0

/** Unique: suites share a database. */
export function newPerson(): string {
  people += 1
  return `person-${process.pid}-${people}`
}

export function newConversation(store: Store, person = newPerson()): Promise<Stream> {
  return store.log.ensure({ kind: "conversation", agent: "helper", person, branch: "main" })
}

export function change(
  collection: Collection,
  key: string,
  row: unknown = {},
  rest: Partial<RowChange> = {},
): RowChange {
  return { collection, key, operation: "insert", value: JSON.stringify(row), ord: null, ...rest }
}

export function message(id: string, ord: number, rest: Partial<RowChange> = {}): RowChange {
  return change("messages", id, { id, ord, state: "done" }, { ord, dropsDeltasOf: id, ...rest })
}

export function delta(id: string, n: number, text = `word ${n} `): RowChange {
  return change("deltas", `${id}/0/${n}`, { message: id, part: 0, kind: "text", n, text })
}

export function append(stream: StreamId, changes: readonly RowChange[], rest: Partial<Append> = {}): Append {
  return { stream, changes, txid: "tx" as TxId, at: 1_700_000_000_000, ...rest }
}

export async function commitOne(store: Store, one: Append): Promise<Appended> {
  const [answer] = await store.log.commit([one])
  if (answer === undefined) throw new Error("no answer")
  return answer
}

export async function committed(store: Store, one: Append): Promise<Extract<Appended, { ok: true }>> {
  const answer = await commitOne(store, one)
  expect(answer).toMatchObject({ ok: true })
  if (!answer.ok) throw new Error(answer.why)
  return answer
}

export async function allEvents(store: Store, stream: StreamId) {
  const page = await store.log.events(stream, 0, { count: 1_000_000, bytes: 1_000_000_000 })
  return page?.changes ?? []
}

/** Frees what removed conversations left (LOG-24). */
export async function freeAll(store: Store): Promise<void> {
  for (let n = 0; await store.log.freeSlice(); n++) expect(n).toBeLessThan(MAX_SLICES)
}

export const audit = { at: 1, person: "admin", act: "test", subject: "it" }
