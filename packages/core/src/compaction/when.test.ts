import type { MessageRow, Part } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { archivedCount, archivedSteps, fittingTokens, roomyTokens } from "./when.ts"

function rows(turns: readonly { readonly turn: string; readonly sizes: readonly number[] }[]): MessageRow[] {
  return turns.flatMap(({ turn, sizes }) =>
    sizes.map((size, index) => {
      const parts: Part[] = [{ type: "text", text: "x".repeat(size) }]
      return { role: index === 0 ? "person" : "agent", turn, parts, inbox: null } as unknown as MessageRow
    }),
  )
}

describe("when to compact", () => {
  it("[CPT-3] when the prompt passes the window less the reserve: the output limit, at most half the window", () => {
    expect(roomyTokens({ window: 100_000 })).toBe(80_000)
    expect(roomyTokens({ window: 100_000, maxOutput: 4_000 })).toBe(96_000)
    expect(roomyTokens({ window: 8_000 })).toBe(4_000)
  })

  it("[CPT-13] a prompt that cannot be made smaller is sent as long as an eighth of the window is left for the answer", () => {
    expect(fittingTokens({ window: 100_000 })).toBe(87_500)
    expect(fittingTokens({ window: 100_000, maxOutput: 4_000 })).toBe(96_000)
    expect(fittingTokens({ window: 8_000 })).toBe(7_000)
  })
})

describe("what stays", () => {
  const four = rows(["a", "b", "c", "d"].map((turn) => ({ turn, sizes: [10, 10, 10] })))

  it("[CPT-3] the last two turns stay as they are; a commanded compaction may keep none", () => {
    expect(archivedCount(four, { keepTurns: 2, room: 75_000, running: null })).toBe(6)
    expect(archivedCount(four, { keepTurns: 0, room: 75_000, running: null })).toBe(12)
    expect(archivedCount(four, { keepTurns: 9, room: 75_000, running: null })).toBe(0)
  })

  it("[CPT-3] the running turn stays as well", () => {
    expect(archivedCount(four, { keepTurns: 1, room: 75_000, running: "d" })).toBe(6)
    expect(archivedCount(four, { keepTurns: 0, room: 75_000, running: "d" })).toBe(9)
  })

  it("[CPT-3, GST-6] the message a guest answers stays, even if another guest's turn began with it", () => {
    const question = rows([{ turn: "critic", sizes: [9_000, 9_000] }])
    expect(archivedCount([...four, ...question], { keepTurns: 2, room: 3_000, running: "scribe" })).toBe(12)
  })

  it("[CPT-3, GST-6] it also stays when a sidecar was merged in after it", () => {
    const question = rows([{ turn: "critic", sizes: [9_000, 9_000] }])
    const context = { type: "context", kind: "quote", title: "Aside", content: "x", metadata: {} } as const
    const merged = { role: "person", turn: null, inbox: null, parts: [context] } as unknown as MessageRow
    expect(archivedCount([...four, ...question, merged], { keepTurns: 0, room: 3_000, running: "scribe" })).toBe(12)
  })

  it("[CPT-3] nothing of a running turn is archived, even if its beginning already is", () => {
    const steps = rows([{ turn: "a", sizes: [10, 10, 10] }]).slice(1)
    const steered = [...steps, ...rows([{ turn: "a", sizes: [10, 10] }])]
    for (const messages of [steps, steered])
      expect(archivedCount(messages, { keepTurns: 2, room: 75_000, running: "a" })).toBe(0)
  })

  it("[CPT-3] they take at most a quarter of the window, cut where a turn begins", () => {
    const big = rows([
      { turn: "a", sizes: [10, 10] },
      { turn: "b", sizes: [10, 5_000] },
      { turn: "c", sizes: [10, 10] },
    ])
    expect(archivedCount(big, { keepTurns: 2, room: 3_000, running: null })).toBe(4)
  })

  it("[CPT-3] is always where a turn begins, so that tool calls stay with their results", () => {
    const turns = fc.array(fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 6 }), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(turns, fc.nat(4), fc.boolean(), (sizes, keepTurns, isRunning) => {
        const messages = rows(sizes.map((one, index) => ({ turn: `t${index}`, sizes: one })))
        const running = isRunning && sizes.length > 0 ? `t${sizes.length - 1}` : null
        const count = archivedCount(messages, { keepTurns, room: 3_000, running })
        expect(count === messages.length || messages[count]?.role === "person").toBe(true)
        if (running !== null) expect(messages.slice(0, count).every(({ turn }) => turn !== running)).toBe(true)
      }),
    )
  })

  it("[CPT-3] if one turn fills the window alone, its newest steps stay, at least one", () => {
    const long = rows([{ turn: "a", sizes: [10, 2_000, 2_000, 2_000, 100, 100] }])
    expect(archivedSteps(long, 3_000)).toBe(3)
    expect(archivedSteps(long, 10)).toBe(5)
    expect(archivedSteps(long.slice(0, 1), 10)).toBe(0)
    expect(archivedSteps([], 10)).toBe(0)
  })
})
