/** The turn events of real logs: what adapters for other protocols are made from (LOG-33). */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defineTool, ModelFault } from "@parlor/core"
import { calls, finish, gate, says } from "@parlor/core/testing"
import {
  type ChangeEvent,
  newTurnReading,
  readTurnEvents,
  type TurnEvent,
  turnEventsAfter,
  withDeltas,
} from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { address, openStage, type Stage, type StageOptions } from "./stage.ts"

let stage: Stage
const open = async (options: StageOptions) => {
  stage = await openStage(options)
  return stage
}
afterEach(() => stage.close())

const quick = { retry: { tries: 3, baseMs: 10, maxMs: 20 } }
const add = defineTool({
  name: "add",
  description: "Adds.",
  input: z.object({ a: z.number(), b: z.number() }),
  repeatable: true,
  run: ({ a, b }) => Promise.resolve({ sum: a + b }),
})
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  input: z.object({}),
  approval: "always",
  repeatable: false,
  run: () => Promise.resolve("paid"),
})
const fault = new ModelFault("Too many requests.", { transient: true })

describe("the turn events of a log", () => {
  it("[LOG-33] tell text, tools and the end of a turn in order", async () => {
    await open({ scripts: [calls("add", { a: 1, b: 2 }), says("It is 3.")], tools: [add] })
    await stage.send("1 + 2?")
    await stage.idle()
    expect(told(await events())).toEqual([
      "turn-started crab",
      "step-started",
      "tool-input add",
      "tool-started add",
      'tool-output add done {"sum":3}',
      "step-ended done",
      "step-started",
      "text-started text",
      "text It is 3.",
      "text-ended text",
      "step-ended done",
      "turn-ended done",
    ])
  })

  it("[LOG-33, TRN-18] reset what a restart interrupted, when it is written again, the second time too", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parlor-turn-events-"))
    try {
      for (const text of ["One", "Two"]) {
        await open({ folder, scripts: [[{ type: "text", text }, gate(), finish()]] })
        if (text === "One") await stage.send("Hi")
        await stage.until((rows) => [...rows.deltas.values()].some((delta) => delta.text === text))
        await stage.close()
      }
      await open({ folder, scripts: [says("Three.")] })
      await stage.idle()
      const attempt = (text: string) => ["step-started", "text-started text", `text ${text}`, "text-ended text"]
      expect(told(await events())).toEqual([
        "turn-started crab",
        ...attempt("One"),
        "step-ended truncated",
        "attempt-reset",
        ...attempt("Two"),
        "step-ended truncated",
        "attempt-reset",
        ...attempt("Three."),
        "step-ended done",
        "turn-ended done",
      ])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it("[LOG-33] reset an attempt only when another one follows, the second time too", async () => {
    const half = [{ type: "text", text: "Half" } as const, fault]
    await open({ scripts: [half, half, says("Whole.")], fallback: [fault], settings: quick })
    await stage.send("Hi")
    await stage.idle()
    const lines = told(await events()).filter((line) => /reset|retrying|text |step-ended|turn-ended/.test(line))
    expect(lines).toEqual([
      "text Half",
      "step-ended failed",
      "retrying 2",
      "attempt-reset",
      "text Half",
      "step-ended failed",
      "retrying 3",
      "attempt-reset",
      "text Whole.",
      "step-ended done",
      "turn-ended done",
    ])
    await stage.send("And again")
    await stage.until((rows) => rows.status.get("status")?.state === "error")
    const last = told(await events()).slice(-3)
    expect(last).toEqual(["retrying 2", "retrying 3", "turn-ended failed model.failed"])
  })

  it("[LOG-33] open and close what the person is asked, between the call and its output", async () => {
    await open({ scripts: [calls("pay", {}), says("Done.")], tools: [pay] })
    await stage.send("Pay")
    const rows = await stage.until((now) => now.asks.size === 1)
    const [ask] = [...rows.asks.values()]
    await stage.runtime.answer(address, ask?.id ?? "", true, { by: "test", txid: stage.runtime.txid() })
    await stage.idle()
    expect(told(await events()).slice(1, 8)).toEqual([
      "step-started",
      "tool-input pay",
      "ask-opened approval",
      "ask-closed answered",
      "tool-started pay",
      'tool-output pay done "paid"',
      "step-ended done",
    ])
  })

  it("[LOG-33] show a message that joined the turn, and what a stop left", async () => {
    const held = gate()
    await open({
      scripts: [calls("add", { a: 1, b: 1 }), [{ type: "text", text: "Two" }, held, finish()]],
      tools: [
        defineTool({
          ...add,
          run: async () => {
            await stage.send("Now!", { mode: "steer" })
            return 2
          },
        }),
      ],
    })
    await stage.send("Hi")
    await stage.until((rows) => [...rows.deltas.values()].some(({ text }) => text === "Two"))
    await stage.runtime.stop(address, { turn: undefined, onQueue: undefined, txid: stage.runtime.txid() })
    await stage.idle()
    const lines = told(await events())
    expect(lines.filter((line) => line.startsWith("steering-message"))).toEqual(["steering-message Now!"])
    expect(lines.slice(-4)).toEqual(["text Two", "text-ended text", "step-ended truncated", "turn-ended stopped"])
  })

  it("[LOG-33] are the same from every place, and with the deltas of finished messages gone", async () => {
    const words = ["One ", "two ", "three."].map((text) => ({ type: "text", text }) as const)
    await open({
      scripts: [
        [...words, ...calls("add", { a: 1, b: 2 })],
        [{ type: "reasoning", text: "Hm. " }, { type: "text", text: "Half" }, fault],
        [{ type: "reasoning", text: "Hm. " }, ...words, finish()],
        says("Second turn."),
      ],
      tools: [add],
      settings: quick,
    })
    await stage.send("First")
    await stage.idle()
    await stage.send("Second")
    await stage.idle()
    const log = await stage.log()
    const all = [...turnEventsAfter(log)]
    for (const [index, event] of all.entries())
      expect([...turnEventsAfter(log, event)], `after ${event.offset}.${event.n}`).toEqual(all.slice(index + 1))
    const sealed = log.filter((change) => change.type !== "deltas")
    expect(texts([...turnEventsAfter(sealed)])).toEqual(texts(all))
    const rows = await stage.rows()
    for (const [message, text] of texts(all)) {
      const row = rows.messages.get(message)
      const said =
        row &&
        withDeltas(row, [])
          .parts.map((part) => ("text" in part ? part.text : ""))
          .join("")
      expect(text).toBe(said)
    }
  })

  it("[LOG-36] a reader that resumes anywhere in a trimmed log ends with the same texts, and none of them twice", async () => {
    const words = ["One ", "two ", "three."].map((text) => ({ type: "text", text }) as const)
    await open({
      scripts: [
        [...words, ...calls("add", { a: 1, b: 2 })],
        [{ type: "reasoning", text: "Hm. " }, ...words, finish()],
      ],
      tools: [add],
      settings: quick,
    })
    await stage.send("First")
    await stage.idle()
    const log = await stage.log()
    const all = [...turnEventsAfter(log)]
    const rows = await stage.rows()
    while ((await stage.store.log.trim({ graceMs: -1 })).more);
    const trimmed = await stage.log()
    expect(trimmed.filter(({ type }) => type === "deltas")).toEqual([])
    expect(trimmed.length).toBeLessThan(log.length)
    expect(await stage.rows()).toEqual(rows)
    const final = shown(all)
    expect(shown([...turnEventsAfter(trimmed)])).toEqual(final)
    for (const [index, event] of all.entries()) {
      const rest = [...turnEventsAfter(trimmed, event)]
      expect(shown(rest, shown(all.slice(0, index + 1))), `after ${event.offset}.${event.n}`).toEqual(final)
      expect(rest.at(-1)?.type).toBe(index === all.length - 1 ? undefined : "turn-ended")
      // What it is told first can be resumed from too.
      for (const again of rest.slice(0, 2))
        expect(
          shown([...turnEventsAfter(trimmed, again)], shown([...all.slice(0, index + 1), again])),
          again.type,
        ).toEqual(final)
    }
  })
})

/** What a client has after these events: an abandoned attempt is discarded. */
function shown(events: readonly TurnEvent[], before: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const said = new Map(before)
  for (const event of events) {
    if (event.type === "attempt-reset") said.delete(event.message)
    if (event.type === "text-delta") said.set(event.message, (said.get(event.message) ?? "") + event.text)
  }
  return said
}

async function events(): Promise<readonly TurnEvent[]> {
  const reading = newTurnReading()
  return (await stage.log()).flatMap((change: ChangeEvent) => readTurnEvents(reading, change))
}

/** All text and reasoning of each message. */
function texts(all: readonly TurnEvent[]): ReadonlyMap<string, string> {
  const said = new Map<string, string>()
  for (const event of all)
    if (event.type === "text-delta") said.set(event.message, (said.get(event.message) ?? "") + event.text)
  return said
}

/** One line for each event; the deltas of one text are one line, however they were cut. */
function told(all: readonly TurnEvent[]): readonly string[] {
  const lines: string[] = []
  let streaming = false
  for (const event of all) {
    if (event.type === "text-delta" && streaming) lines.push(`${lines.pop()}${event.text}`)
    else lines.push(line(event))
    streaming = event.type === "text-delta"
  }
  return lines
}

function line(event: TurnEvent): string {
  switch (event.type) {
    case "turn-started":
      return `turn-started ${event.agent}`
    case "turn-ended":
      return ["turn-ended", event.state, event.error?.code].filter(Boolean).join(" ")
    case "step-ended":
      return `step-ended ${event.state}`
    case "text-delta":
      return `text ${event.text}`
    case "text-started":
    case "text-ended":
      return `${event.type} ${event.kind}`
    case "tool-input":
    case "tool-started":
      return `${event.type} ${event.name}`
    case "tool-output":
      return `tool-output ${event.name} ${event.state} ${JSON.stringify(event.output)}`
    case "ask-opened":
      return `ask-opened ${event.ask.kind}`
    case "ask-closed":
      return `ask-closed ${event.ask.state}`
    case "retrying":
      return `retrying ${event.attempt}`
    case "steering-message":
      return `steering-message ${event.message.parts.map((part) => ("text" in part ? part.text : "")).join("")}`
    default:
      return event.type
  }
}
