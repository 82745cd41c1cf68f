import type { MessageId, NewChange, ToolPart, TurnId } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import { Reply } from "../model-call/reply.ts"
import { FakeClock } from "../testing/fake-clock.ts"
import { reporting } from "./tool-progress.ts"

const started: ToolPart = {
  type: "tool",
  call: "call_1",
  name: "copy",
  input: {},
  state: "started",
  output: null,
  error: null,
  startedAt: 1,
}

function staged(write: (changes: readonly NewChange[]) => Promise<void> = async () => {}) {
  const clock = new FakeClock()
  const written: ToolPart["progress"][] = []
  const reply = new Reply({
    id: "msg_1" as MessageId,
    ord: 1,
    turn: "turn_1" as TurnId,
    author: "",
    at: 1,
    onFailure: () => undefined,
    write: async (changes) => {
      for (const { row } of changes as readonly { readonly row: { readonly parts: readonly ToolPart[] } }[])
        written.push(row.parts[0]?.progress)
      await write(changes)
    },
  })
  reply.tool(started)
  const stop = new AbortController()
  return { clock, written, stop, ...reporting({ reply, clock, signal: stop.signal }, started) }
}

describe("[TRN-26] progress of a tool", () => {
  test("the first report is written at once, later ones at most once a second, the newest counts", async () => {
    const { clock, written, report } = staged()
    report({ text: "one", done: 1, total: 10 })
    await clock.advance(0)
    expect(written).toEqual([{ text: "one", done: 1, total: 10 }])
    for (const done of [2, 3, 4]) report({ text: `no. ${done}`, done, total: 10 })
    await clock.advance(999)
    expect(written).toHaveLength(1)
    await clock.advance(1)
    expect(written).toEqual([
      { text: "one", done: 1, total: 10 },
      { text: "no. 4", done: 4, total: 10 },
    ])
  })

  test("text is bounded, and what is not an amount is left out", async () => {
    const { clock, written, report } = staged()
    report({ text: "x".repeat(1_000), done: Number.NaN, total: -1 })
    await clock.advance(0)
    expect(written).toEqual([{ text: "x".repeat(200) }])
  })

  test("nothing is written after the end, after a stop, or after a write that failed", async () => {
    const ended = staged()
    ended.report({ text: "late" })
    await ended.end()
    await ended.clock.advance(10_000)
    expect(ended.written).toEqual([])
    const stopped = staged()
    stopped.stop.abort()
    stopped.report({ text: "late" })
    await stopped.clock.advance(10_000)
    expect(stopped.written).toEqual([])
    const broken = staged(async () => Promise.reject(new Error("down")))
    broken.report({ text: "one" })
    await broken.clock.advance(0)
    broken.report({ text: "two" })
    await broken.clock.advance(10_000)
    expect(broken.written).toEqual([{ text: "one" }])
  })

  test("a tool that reports for long is written less often", async () => {
    const { clock, written, report } = staged()
    for (let second = 0; second < 300; second++) {
      report({ done: second })
      await clock.advance(1_000)
    }
    expect(written.length).toBeGreaterThan(60)
    expect(written.length).toBeLessThan(120)
  })
})
