import type { LiveState } from "@parlor/client"
import fc from "fast-check"
import { expect, test } from "vitest"
import { asking, idle, stateOf, waiting } from "../../test/rows.ts"
import { columnsOf } from "./columns.ts"
import { emptyEditor, withText } from "./editor.ts"
import { layout, type Size, type View } from "./screen.ts"

const view = (state: Partial<LiveState>, change: Partial<View> = {}): View => ({
  state: stateOf(state),
  editor: withText(emptyEditor, "typed"),
  rest: [],
  notice: [],
  editing: undefined,
  now: 10_000,
  ...change,
})
const lines = (of: View, size: Size = { columns: 60, rows: 24 }): readonly string[] =>
  layout(of, size).rows.map((row) => row.text)

test("an idle conversation shows its state and the typed line, with the cursor in it", () => {
  expect(lines(view({}))).toEqual(["ready", "> typed"])
  expect(layout(view({}), { columns: 60, rows: 24 }).cursor).toEqual({ row: 1, column: 7 })
})

test("[TRN-2] streaming text, asks, the queue and the status are above the line", () => {
  const status = { ...idle, state: "waiting", turn: "trn_1", since: 0 } as LiveState["status"]
  const queue = [
    waiting("a", "first", { mode: "steer" }),
    waiting("b", "second\nmore", { mode: "paused", source: "webhook" }),
    ...["c", "d", "e", "f", "g"].map((id) => waiting(id, id)),
  ]
  expect(lines(view({ status, queue, asks: [asking("approval")] }, { rest: ["  It is"] }))).toEqual([
    "  It is",
    "? Really?",
    "  answer: y or n",
    " 1 first (steering)",
    " 2 second… (paused) [webhook]",
    " 3 c",
    " 4 d",
    " 5 e",
    "   and 2 more, see /queue",
    "waiting for your answer",
    "> typed",
  ])
})

test.each([
  [{ state: "busy", since: 4_000 }, "replying for 6 s · Esc to stop"],
  [
    { state: "retrying", attempt: 2, retryAt: 12_500, error: { code: "x", detail: "Over\u001b[2J.\nmore" } },
    "retrying in 3 s (attempt 2): Over␛[2J.",
  ],
  [{ state: "error", error: { code: "x", detail: "No key." } }, "failed: No key."],
  [{ held: { reason: "stopped", since: 0 } }, "ready · queue paused (a turn was stopped), /resume to continue"],
] as const)("[TRN-10, QUE-5] the status as text: %#", (change, words) => {
  expect(lines(view({ status: { ...idle, ...change } }), { columns: 100, rows: 24 })[0]).toBe(words)
})

test("offline is shown, with undelivered messages", () => {
  const send = {
    key: "k",
    body: { text: "hi" },
    text: "hi",
    at: 0,
    state: "sending",
    error: null,
    failures: 0,
    retryAt: null,
  } as const
  const seen = lines(view({ connection: "offline", sending: [send] }))
  expect(seen).toEqual([" … hi", "offline, reconnecting · 1 not delivered yet", "> typed"])
})

test("a long line is wrapped, and of too many rows those around the cursor are shown", () => {
  const editor = withText(emptyEditor, "abcdef ghij\nsecond")
  const { rows, cursor } = layout(view({}, { editor }), { columns: 11, rows: 24 })
  expect(rows.map((row) => row.text)).toEqual(["ready", "> abcdef ", "  ghij", "  second"])
  expect(cursor).toEqual({ row: 3, column: 8 })
  const long = withText(emptyEditor, Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n"))
  expect(lines(view({}, { editor: long })).at(-1)).toBe("  line 29")
  expect(lines(view({}, { editor: { ...long, cursor: 0 } }))[1]).toBe("> line 0")
})

test("nothing is wider or higher than the terminal, and the cursor is in it", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "漢", "\n", " ", "\u001b", "👋🏽"), maxLength: 200 })
  fc.assert(
    fc.property(
      text,
      fc.nat(12),
      fc.integer({ min: 10, max: 60 }),
      fc.integer({ min: 3, max: 30 }),
      (typed, count, columns, rows) => {
        const queue = Array.from({ length: count }, (_, at) => waiting(String(at), typed))
        const of = view(
          { queue, asks: [asking("question", { title: typed })] },
          { editor: withText(emptyEditor, typed) },
        )
        const screen = layout(of, { columns, rows })
        expect(screen.rows.length).toBeLessThanOrEqual(rows)
        for (const row of screen.rows) expect(columnsOf(row.text)).toBeLessThan(Math.max(9, columns))
        expect(screen.cursor.row).toBeLessThan(screen.rows.length)
        expect(screen.cursor.column).toBeLessThan(columns)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are no control characters.
        expect(screen.rows.map((row) => row.text).join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
      },
    ),
  )
})
