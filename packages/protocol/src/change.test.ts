import fc from "fast-check"
import { expect, test } from "vitest"
import { changeEvent, encodeChange, type StoredChange } from "./change.ts"
import { type Collection, collections, controlCollections } from "./collections.ts"
import type { TxId } from "./ids.ts"
import { parseOffset } from "./offset.ts"

const names = Object.keys(collections) as Collection[]
const row = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue())
const stored: fc.Arbitrary<StoredChange> = fc.record({
  seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  collection: fc.constantFrom(...names),
  key: fc.string({ unit: "grapheme" }),
  operation: fc.constantFrom("insert", "update", "delete"),
  value: row.map((value) => JSON.stringify(value)),
  txid: fc.string({ unit: "grapheme" }).map((id) => id as TxId),
  at: fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
})

test("[LOG-2] an encoded change parses back to what was stored", () => {
  fc.assert(
    fc.property(stored, (change) => {
      const parsed = JSON.parse(encodeChange(change)) as ReturnType<typeof changeEvent.parse>
      expect(changeEvent.safeParse(parsed).success).toBe(true)
      expect(parsed.type).toBe(change.collection)
      expect(parsed.key).toBe(change.key)
      expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(JSON.parse(change.value)))
      expect(parsed.headers).toMatchObject({ operation: change.operation, txid: change.txid })
      expect(parseOffset(parsed.headers.offset)).toBe(change.seq)
      expect(Date.parse(parsed.headers.timestamp)).toBe(change.at)
    }),
  )
})

test("[LOG-6] the row goes out byte for byte as it was stored, on one line", () => {
  fc.assert(
    fc.property(stored, (change) => {
      const text = encodeChange(change)
      expect(text).toContain(`"value":${change.value},"headers":`)
      expect(text).not.toMatch(/[\r\n]/)
    }),
  )
})

test("[LOG-2] rows are never sparse: no field of any collection may be omitted, except measurements and rare marks", () => {
  const exceptions = [
    "archives.charsPerToken",
    "messages.prompt",
    // Rarely apply: as null in every row they would only cost bytes.
    "slashCommands.argumentHint",
    "turns.retriedBy",
    "turns.unattended",
  ]
  const optional = names.flatMap((name) =>
    Object.entries(collections[name].shape).flatMap(([field, schema]) =>
      schema.safeParse(undefined).success ? [`${name}.${field}`] : [],
    ),
  )
  expect(optional.sort()).toEqual(exceptions.sort())
})

test("control collections exist; text deltas and messages are not among them", () => {
  for (const name of controlCollections) expect(names).toContain(name)
  expect(controlCollections.has("deltas")).toBe(false)
  expect(controlCollections.has("messages")).toBe(false)
})
