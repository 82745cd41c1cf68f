import { type LiveState, loadingState } from "@parlor/client"
import type { MessageId, MessageRow } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { closed, type Held, type Opening, type OpeningEvent, opening } from "./opening.ts"

const said = (key: string, how: string) => [{ id: `${key} ${how}` as MessageId } as MessageRow]
const ready = (key: string): LiveState => ({
  ...loadingState,
  phase: "ready",
  connection: "live",
  messages: said(key, "new"),
})
const old = (key: string, how: string): Held => ({
  asOf: 7,
  state: { ...loadingState, phase: "ready", older: "cursor", messages: said(key, how) },
})
const run = (...events: readonly OpeningEvent[]) => events.reduce(opening, closed)
const shown = ({ state }: Opening) => state?.messages[0]?.id

describe("[TAB-2] opening a conversation", () => {
  const opened = { type: "opened", key: "a", activation: 1, held: undefined } as const

  it("shows a snapshot until the newest is there, and then the newest", () => {
    const empty = run(opened)
    expect([empty.from, empty.state]).toEqual(["nothing", undefined])
    const kept = opening(empty, { type: "kept", activation: 1, kept: old("a", "kept") })
    expect([kept.from, shown(kept), kept.asOf]).toEqual(["kept", "a kept", 7])
    const fresh = opening(kept, { type: "news", activation: 1, state: ready("a") })
    expect([fresh.from, shown(fresh), fresh.asOf]).toEqual(["live", "a new", undefined])
    expect(opening(fresh, { type: "kept", activation: 1, kept: old("a", "kept") })).toBe(fresh)
  })

  it("what memory holds goes before what the browser kept", () => {
    const held = run({ ...opened, held: old("a", "held") })
    expect([held.from, shown(held)]).toEqual(["held", "a held"])
    expect(opening(held, { type: "kept", activation: 1, kept: old("a", "kept") })).toBe(held)
  })

  it("[TAB-4] what is old offers no older pages and does not pass for connected", () => {
    const { state } = run({ ...opened, held: old("a", "held") })
    expect(state).toMatchObject({ older: null, connection: "connecting" })
  })

  it("a message on its way shows above old ones, too, and a lost connection", () => {
    const sending = [{ key: "k" }] as unknown as LiveState["sending"]
    const waiting: LiveState = { ...loadingState, sending, connection: "offline" }
    const held = run({ ...opened, held: old("a", "held") }, { type: "news", activation: 1, state: waiting })
    expect(held.state).toMatchObject({ sending, connection: "offline", messages: said("a", "held") })
    const kept = run(
      opened,
      { type: "news", activation: 1, state: waiting },
      { type: "kept", activation: 1, kept: old("a", "kept") },
    )
    expect(kept.state).toMatchObject({ sending, messages: said("a", "kept") })
  })

  it("a refused one shows why, and nothing old", () => {
    const failed: LiveState = { ...loadingState, phase: "failed" }
    const after = run({ ...opened, held: old("a", "held") }, { type: "news", activation: 1, state: failed })
    expect([after.from, after.state?.phase, after.state?.messages.length]).toEqual(["live", "failed", 0])
  })
})

it("[TAB-3] however late an answer comes, only what belongs to the one in front is shown, and it never gets older", () => {
  const key = fc.constantFrom("a", "b")
  const rank = { nothing: 0, kept: 1, held: 2, live: 3 } as const
  const step = fc.oneof(
    fc.record({ type: fc.constant("opened" as const), key, isHeld: fc.boolean() }),
    fc.record({ type: fc.constantFrom("kept" as const, "news" as const), late: fc.integer({ min: 0, max: 4 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const openings: string[] = []
      let now: Opening = closed
      for (const one of steps) {
        const before = now
        if (one.type === "opened") {
          openings.push(one.key)
          const held = one.isHeld ? old(one.key, "held") : undefined
          now = opening(now, { type: "opened", key: one.key, activation: openings.length, held })
        } else {
          const activation = openings.length - one.late
          const asked = openings[activation - 1]
          if (asked === undefined) continue
          now = opening(
            now,
            one.type === "kept"
              ? { type: "kept", activation, kept: old(asked, "kept") }
              : { type: "news", activation, state: ready(asked) },
          )
          if (one.late > 0) expect(now).toBe(before)
          else expect(rank[now.from]).toBeGreaterThanOrEqual(rank[before.from])
        }
        expect(now.key).toBe(openings.at(-1))
        const first = shown(now)
        if (first !== undefined) expect(first.startsWith(`${openings.at(-1)} `)).toBe(true)
      }
    }),
  )
})
