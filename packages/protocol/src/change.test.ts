import fc from "fast-check"
import { expect, test } from "vitest"
import { changeEvent, type StoredChange } from "./change.ts"
import { changeOf, encodeChanges, readChanges } from "./change-text.ts"
import { type Collection, collections } from "./collections.ts"
import { controlCollections } from "./control-collections.ts"
import type { TxId } from "./ids.ts"
import { formatOffset } from "./offset.ts"

const names = Object.keys(collections) as Collection[]
const row = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue())
const stored: fc.Arbitrary<StoredChange> = fc.record({
  seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 9 }),
  collection: fc.constantFrom(...names),
  key: fc.string({ unit: "grapheme" }),
  operation: fc.constantFrom("insert", "update", "delete"),
  value: row.map((value) => JSON.stringify(value)),
  txid: fc.string({ unit: "grapheme" }).map((id) => id as TxId),
  at: fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
})

test("[LOG-2] encoded changes are read as what was stored; what follows from the event before is sent once", () => {
  const sameWrite = fc.array(stored, { minLength: 1, maxLength: 6 }).chain((changes) =>
    fc.array(fc.boolean(), { minLength: changes.length, maxLength: changes.length }).map((joins) => {
      const joined: StoredChange[] = []
      for (const [index, change] of changes.entries()) {
        const before = joined.at(-1)
        const { seq, txid, at } = before ?? change
        joined.push(before !== undefined && joins[index] ? { ...change, seq: seq + 1, txid, at } : change)
      }
      return joined
    }),
  )
  fc.assert(
    fc.property(sameWrite, (changes) => {
      const text = `[${encodeChanges(changes)}]`
      expect(text).not.toMatch(/[\r\n]/)
      const sent = JSON.parse(text) as unknown[]
      for (const event of sent) expect(changeEvent.safeParse(event).error).toBeUndefined()
      expect(readChanges(text)).toEqual(changes.map(changeOf))
      for (const [index, change] of changes.entries()) {
        const { txid, at, seq } = changes[index - 1] ?? {}
        const { headers } = sent[index] as { headers: object }
        if (txid === change.txid) expect(headers).not.toHaveProperty("txid")
        if (at === change.at) expect(headers).not.toHaveProperty("timestamp")
        if (txid === change.txid && seq === change.seq - 1) expect(headers).not.toHaveProperty("offset")
        else expect(headers).toHaveProperty("offset", formatOffset(change.seq, change.txid))
      }
    }),
  )
})

test("[LOG-6] the row goes out byte for byte as it was stored, on one line", () => {
  fc.assert(
    fc.property(stored, (change) => {
      const text = encodeChanges([change], { steps: true })
      expect(text).toContain(`"value":${change.value},"headers":`)
      expect(text).not.toMatch(/[\r\n]/)
    }),
  )
})

test("[LOG-15] the record of a step is sent only to a reader that asks, wherever it stands in its row", () => {
  const step = { number: 1, message: 'a,"step":{"b', brief: "}{", attempts: [{ error: 'said \\"}' }] }
  const told = { id: "trn_1", message: 'x,"step":{', step, unattended: true }
  const { id, message, unattended } = told
  const change = (value: object) =>
    ({
      seq: 1,
      collection: "turns",
      key: "trn_1",
      operation: "update",
      txid: "tx",
      at: 0,
      value: JSON.stringify(value),
    }) as StoredChange
  for (const row of [told, { id, message, unattended, step }]) {
    const sent = JSON.parse(encodeChanges([change(row)])) as { value: object }
    expect(sent.value).toEqual({ id, message, unattended })
    expect(JSON.parse(encodeChanges([change(row)], { steps: true }))).toMatchObject({ value: row })
  }
})

test("control collections exist; text deltas and messages are not among them", () => {
  for (const name of controlCollections) expect(names).toContain(name)
  expect(controlCollections.has("deltas")).toBe(false)
  expect(controlCollections.has("messages")).toBe(false)
})
