import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ChangeEvent, Operation } from "./change.ts"
import type { Collection } from "./collections.ts"
import { deltaKey, emptyRows, fold, type Rows, withDeltas } from "./fold.ts"
import type { MessageId } from "./ids.ts"
import { formatOffset } from "./offset.ts"
import type { DeltaRow, MessageRow, Part } from "./rows/message.ts"
import { messageWith } from "./testing/rows.ts"

const MESSAGES = ["msg_a", "msg_ab", "msg_b"]

function change(type: Collection, key: string, operation: Operation, value: unknown): ChangeEvent {
  const headers = { operation, txid: "tx", timestamp: "2026-01-01T00:00:00.000Z", offset: formatOffset(1) }
  return { type, key, value, headers } as ChangeEvent
}

function message(id: string, state: MessageRow["state"], parts: readonly Part[] = []): MessageRow {
  return messageWith({ id: id as MessageId, state, parts: [...parts] })
}

const delta = fc.record({
  message: fc.constantFrom(...MESSAGES).map((id) => id as MessageId),
  part: fc.nat(2),
  kind: fc.constantFrom("text", "reasoning"),
  n: fc.nat(5),
  text: fc.string(),
}) as fc.Arbitrary<DeltaRow>
const operation = fc.constantFrom<Operation>("insert", "update", "delete")
const anyChange = fc.oneof(
  delta.map((row) => change("deltas", deltaKey(row), "insert", row)),
  fc
    .tuple(
      fc.constantFrom(...MESSAGES),
      fc.constantFrom<MessageRow["state"]>("streaming", "done", "truncated"),
      operation,
    )
    .map(([id, state, op]) => change("messages", id, op, message(id, state))),
  fc
    .tuple(fc.constantFrom<Collection>("queue", "turns", "status"), fc.constantFrom("x", "y"), operation, fc.nat())
    .map(([type, key, op, n]) => change(type, key, op, { n })),
)
const log = fc.array(anyChange, { maxLength: 60 })

/** Rows in an order that does not depend on how they were built. */
function plain(rows: Rows): unknown {
  return Object.entries(rows).map(([name, table]) => [name, [...table].sort(([a], [b]) => (a < b ? -1 : 1))])
}

describe("fold", () => {
  test("[LOG-5] continuing a fold from rows gives the same as folding the whole log", () => {
    fc.assert(
      fc.property(log, log, (a, b) => {
        expect(fold(fold(emptyRows(), a), b)).toEqual(fold(emptyRows(), [...a, ...b]))
      }),
    )
  })

  test("[LOG-6] applying a change or a log twice changes nothing more", () => {
    fc.assert(
      fc.property(log, (changes) => {
        const once = plain(fold(emptyRows(), changes))
        expect(
          plain(
            fold(
              emptyRows(),
              changes.flatMap((one) => [one, one]),
            ),
          ),
        ).toEqual(once)
        expect(plain(fold(emptyRows(), [...changes, ...changes]))).toEqual(once)
      }),
    )
  })

  test("[LOG-10] a message that stops streaming drops its deltas and no others", () => {
    fc.assert(
      fc.property(log, fc.constantFrom(...MESSAGES), (changes, id) => {
        const rows = fold(emptyRows(), changes)
        const others = [...rows.deltas.values()].filter((row) => row.message !== id)
        fold(rows, [change("messages", id, "update", message(id, "done"))])
        expect([...rows.deltas.values()]).toEqual(others)
      }),
    )
  })

  test("a row is the result of the last change of its key", () => {
    const rows = fold(emptyRows(), [
      change("queue", "x", "insert", { n: 1 }),
      change("queue", "x", "update", { n: 2 }),
      change("queue", "y", "insert", { n: 3 }),
      change("queue", "y", "delete", { n: 3 }),
    ])
    expect([...rows.queue]).toEqual([["x", { n: 2 }]])
  })

  test("a collection of a later version is ignored", () => {
    expect(fold(emptyRows(), [change("holograms" as Collection, "x", "insert", {})])).toEqual(emptyRows())
  })
})

describe("withDeltas", () => {
  const parts = fc.array(
    fc.record({
      kind: fc.constantFrom("text" as const, "reasoning" as const),
      pieces: fc.array(fc.string(), { minLength: 1 }),
    }),
    { maxLength: 4 },
  )

  test("[LOG-8, LOG-10] the deltas of a message, in any order, give its full text", () => {
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.nat()), (spoken, random) => {
        const id = "msg_a" as MessageId
        const deltas = spoken.flatMap(({ kind, pieces }, part) =>
          pieces.map((text, n) => ({ message: id, part, kind, n, text })),
        )
        const shuffled = deltas
          .map((row) => ({ row, at: random.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ row }) => row)
        const stranger = { message: "msg_ab" as MessageId, part: 0, kind: "text" as const, n: 0, text: "stranger" }
        const full = spoken.map(({ kind, pieces }) => ({ type: kind, text: pieces.join("") }))
        expect(withDeltas(message(id, "streaming"), [stranger, ...shuffled]).parts).toEqual(full)
      }),
    )
  })

  test("a finished message is left unchanged", () => {
    const done = message("msg_a", "done", [{ type: "text", text: "all" }])
    const late = { message: done.id, part: 0, kind: "text" as const, n: 0, text: "late" }
    expect(withDeltas(done, [late])).toBe(done)
  })

  test("non-text parts keep their place between text parts", () => {
    const tool: Part = { type: "tool", call: "c", name: "n", input: {}, state: "done", output: null, error: null }
    const streaming = message("msg_a", "streaming", [{ type: "text", text: "before" }, tool])
    const after = { message: streaming.id, part: 2, kind: "text" as const, n: 0, text: "after" }
    expect(withDeltas(streaming, [after]).parts).toEqual([
      { type: "text", text: "before" },
      tool,
      { type: "text", text: "after" },
    ])
    expect(streaming.parts).toHaveLength(2)
  })
})

test("[LOG-10] deltas of several parts come in the order of the parts, and gaps between them close", () => {
  const streaming = message("msg_a", "streaming")
  const delta = (part: number, n: number, text: string) =>
    ({ message: "msg_a", part, kind: part === 2 ? "reasoning" : "text", n, text }) as DeltaRow
  const deltas = [delta(12, 1, "d"), delta(12, 0, "c"), delta(2, 0, "b"), delta(0, 0, "a")]
  expect(withDeltas(streaming, deltas).parts).toEqual([
    { type: "text", text: "a" },
    { type: "reasoning", text: "b" },
    { type: "text", text: "cd" },
  ])
  expect(withDeltas(streaming, [])).toBe(streaming)
})
