import { formatOffset, type TurnEvent, type TurnEventBody } from "@parlor/protocol"
import { askWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { McpReply } from "./mcp-reply.ts"

type Body = { readonly type: TurnEventBody["type"]; readonly [key: string]: unknown }
const turn = { type: "turn-started", agent: "crab", guest: null } as const
const step = (message: string, author = "") => ({ type: "step-started", message, author }) as const
const text = (words: string) => ({ type: "text-delta", kind: "text", text: words }) as const
const ended = (state: string, error: unknown = null) => ({ type: "turn-ended", state, error }) as const

function read(...bodies: readonly Body[]) {
  const reply = new McpReply(100)
  const events = bodies.map((body, index) => ({ ...body, turn: "t", offset: formatOffset(101 + index), n: 2 }))
  const progress = events.flatMap((event) => reply.read(event as unknown as TurnEvent) ?? [])
  return { reply, result: reply.result, said: progress.map(({ message }) => message), progress }
}

describe("a reply as the result of a tool", () => {
  it("[API-40] its text, and how it ended", () => {
    const { result, said, progress } = read(turn, step("m"), text("Hello "), text("there."), ended("done"))
    expect(result).toEqual({ state: "done", text: "Hello there.", asks: [], error: null })
    expect(said).toEqual(["crab is replying", "Hello"])
    expect(progress.map((one) => one.progress)).toEqual([1.002, 3.002])
    expect(read(turn, ended("interrupted")).result.state).toBe("failed")
    const failed = read(turn, ended("failed", { code: "model.failed", detail: "No." })).result
    expect(failed).toMatchObject({ state: "failed", error: { code: "model.failed", detail: "No." } })
    expect(read(turn).result.state).toBe("running")
    expect(read(turn, ended("stopped")).result.state).toBe("stopped")
  })

  it("[API-40] steps are paragraphs, a guest is named, and an abandoned attempt is left out", () => {
    const reset = { type: "attempt-reset", message: "m" } as const
    expect(read(turn, step("m"), text("Half"), reset, step("n"), text("Whole")).result.text).toBe("Whole")
    const guests = read(turn, step("m"), text("One"), step("n", "critic"), text("Two")).result.text
    expect(guests).toBe("One\n\ncritic: Two")
    expect(read(turn, text("early")).result.text).toBe("")
  })

  it("[API-40] progress about a long text is sent at intervals, with its end on one line", () => {
    const words = Array.from({ length: 50 }, (_, index) => text(`word ${index}\n`))
    const { said } = read(turn, step("m"), ...words)
    expect(said.length).toBeGreaterThan(3)
    expect(said.length).toBeLessThan(12)
    for (const message of said) {
      expect(message.length).toBeLessThanOrEqual(120)
      expect(message).not.toContain("\n")
    }
    expect(read(turn, step("m"), text("  ")).said).toEqual(["crab is replying"])
  })

  it("[API-40] tools, thoughts, retries and notices are progress", () => {
    const { said } = read(
      turn,
      { type: "text-started", kind: "reasoning" },
      { type: "text-delta", kind: "reasoning", text: "Hm" },
      { type: "text-started", kind: "text" },
      { type: "tool-input", name: "pay" },
      { type: "tool-started", name: "pay" },
      { type: "tool-output", name: "pay", state: "failed" },
      { type: "retrying", error: { code: "x", detail: "Busy." } },
      { type: "retrying", error: null },
      { type: "notice", text: "Shortened" },
      { type: "steering-message" },
    )
    expect(said.slice(1)).toEqual([
      ...["Thinking", "Calling pay", "pay: failed", "Retrying: Busy.", "Retrying", "Shortened"],
      "A message was added to the reply",
    ])
  })

  it("[API-42] an ask stays open until it is closed or the turn ends", () => {
    const ask = askWith({ id: "a", kind: "question", title: "Which?", options: ["Tea"] } as never)
    const opened = { type: "ask-opened", ask } as const
    const { reply, result, said } = read(turn, opened)
    expect(said.at(-1)).toBe("Waiting for an answer: Which?")
    expect(reply.asks).toEqual([ask])
    expect(result).toMatchObject({ state: "asks", asks: [{ id: "a", options: ["Tea"] }] })
    expect(read(turn, opened, { type: "ask-closed", ask }).result).toMatchObject({ state: "running", asks: [] })
    expect(read(turn, opened, ended("stopped")).result).toMatchObject({ state: "stopped", asks: [] })
  })

  it("[API-40] a very long reply is cut, and says so", () => {
    const { text: cut } = read(turn, step("m"), text("x".repeat(30_000)), text("y".repeat(30_000))).result
    expect(cut).toHaveLength(20_000 + "… [cut]".length)
    expect(cut.endsWith("x… [cut]")).toBe(true)
  })
})
