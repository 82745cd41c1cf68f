/**
 * Nothing leaves the model's view without a summary standing for it, whatever the window and however many characters a
 * token has (CPT-11 to CPT-14). The model here counts and refuses like a provider: what exceeds its window is an error.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defineTool, type Model, ModelFault, type ModelRequest, SUMMARY_INSTRUCTIONS } from "@parlor/core"
import { gate, uncovered } from "@parlor/core/testing"
import type { MessageRow, Rows, StepNote } from "@parlor/protocol"
import { afterEach, describe, expect, it, vi } from "vitest"
import { z } from "zod"
import { isLong } from "../support/rounds.ts"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

let stage: Stage
afterEach(() => stage.close())

type Counting = Model & {
  readonly asked: { request: ModelRequest; tokens: number }[]
  readonly summaries: readonly string[]
}

const isSummary = ({ instructions }: ModelRequest) => instructions === SUMMARY_INSTRUCTIONS
const textOf = (request: ModelRequest) => JSON.stringify(request.messages)

/** Refuses what does not fit, as providers do; answers with so many characters of prose. */
function countingModel(window: number, perToken: number, answerChars: number): Counting {
  const asked: Counting["asked"] = []
  const summaries: string[] = []
  let number = 0
  return {
    name: "counting",
    window,
    asked,
    summaries,
    async run(request, { onEvent }) {
      const chars = request.instructions.length + textOf(request).length + JSON.stringify(request.tools).length
      const tokens = Math.ceil(chars / perToken)
      asked.push({ request, tokens })
      if (tokens > window) throw new ModelFault(`maximum context length is ${window} tokens`, { transient: false })
      number += 1
      const text = isSummary(request) ? `Summary ${number}.` : prose(`a${number}`, answerChars)
      if (isSummary(request)) summaries.push(textOf(request))
      onEvent({ type: "text", text })
      const counts = { inputTokens: tokens, outputTokens: Math.ceil(text.length / perToken) }
      onEvent({ type: "finish", reason: "stop", usage: { ...counts, reasoningTokens: 0, cachedTokens: 0 } })
    },
  }
}

/** Begins and ends with its mark, so that it can be found again. */
function prose(mark: string, chars: number): string {
  const words = "the quick brown fox jumps over the lazy dog and says ".repeat(Math.ceil(chars / 53))
  return `⟦${mark}⟧ ${words.slice(0, Math.max(0, chars - 20))} ⟦/${mark}⟧`
}

const marksIn = (message: MessageRow): readonly string[] =>
  message.parts.flatMap((part) => (part.type === "text" ? (part.text.match(/⟦\/?\w+⟧/g) ?? []) : []))

/** The invariant of CPT-12 for every step of the log, and that archives were made from what they cover. */
async function checkCovered(model: Counting): Promise<Rows> {
  const rows = await stage.rows()
  const messages = [...rows.messages.values()].filter(({ dimmed }) => !dimmed)
  const archives = [...rows.archives.values()]
  const steps = (await stage.log()).flatMap((event) =>
    event.type === "turns" && event.value.step !== null ? [event.value.step as StepNote] : [],
  )
  for (const step of steps) expect(uncovered(step, messages, archives), `step of ${step.message}`).toEqual([])
  const summed = model.summaries.join("\n")
  for (const { fromOrd, toOrd } of archives)
    for (const message of messages)
      if (message.ord >= fromOrd && message.ord <= toOrd && message.state !== "failed")
        for (const mark of marksIn(message)) expect(summed.includes(mark), `${mark} was summed up`).toBe(true)
  return rows
}

async function open(model: Counting, options: Partial<StageOptions> = {}): Promise<void> {
  stage = await openStage({ ...options, agent: { model, ...options.agent } })
}

async function talk(turns: number, chars: number, from = 0): Promise<void> {
  for (let turn = from; turn < from + turns; turn++) {
    await stage.send(prose(`p${turn}`, chars))
    const rows = await stage.idle()
    expect(rows.status.get("status")).toMatchObject({ state: "idle", error: null })
  }
}

const RATIOS = isLong ? [2, 2.5, 3, 4, 6] : [2, 3, 6]
const WINDOWS = isLong ? [8_000, 32_000, 128_000, 200_000] : [8_000, 32_000]
/** Large windows take long: with all ratios only in a long run. */
const LARGE = [
  [128_000, 2.5],
  [200_000, 4],
] as const
const SIZES = [
  ...WINDOWS.flatMap((window) => RATIOS.map((perToken) => [window, perToken] as const)),
  ...(isLong ? [] : LARGE),
]

describe("what the model is not shown is summed up", () => {
  it.each(SIZES)("[CPT-11, CPT-12] with a window of %i and %s characters a token", async (window, perToken) => {
    const model = countingModel(window, perToken, (window * perToken) / 20)
    await open(model)
    await talk(16, (window * perToken) / 14)
    const rows = await checkCovered(model)
    expect(rows.archives.size).toBeGreaterThan(0)
    const largest = Math.max(...model.asked.map(({ tokens }) => tokens))
    expect(largest).toBeLessThanOrEqual(window)
    // It does not compact long before it has to.
    expect(largest).toBeGreaterThan(window * 0.4)
  })

  it.each(RATIOS)("[CPT-12] POST /compact covers everything, of 200 imported messages too (%s)", async (perToken) => {
    const model = countingModel(8_000, perToken, 200)
    await open(model)
    await importTalk(200, 1_000)
    await compact(1)
    const rows = await checkCovered(model)
    const covered = [...rows.archives.values()].sort((a, b) => a.fromOrd - b.fromOrd)
    expect(covered[0]?.fromOrd).toBe(1)
    expect(covered.at(-1)?.toOrd).toBe(198)
    for (const [index, { toOrd }] of covered.entries()) expect(covered[index + 1]?.fromOrd ?? toOrd + 1).toBe(toOrd + 1)
  })

  it.each(RATIOS)("[CPT-12] so does the first turn of a conversation that was imported (%s)", async (perToken) => {
    const model = countingModel(8_000, perToken, 200)
    await open(model)
    await importTalk(200, 1_000)
    await talk(3, 300)
    await checkCovered(model)
    expect(model.asked.filter(({ request }) => !isSummary(request)).length).toBe(3)
  })

  it("[CPT-12] a crash in between: what was archived stays, the rest is archived after it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parlor-coverage-"))
    const model = countingModel(8_000, 4, 200)
    const held = gate()
    let left = 10
    const dying: Model = {
      ...model,
      run: (request, options) => (left-- > 0 ? model.run(request, options) : held.opened),
    }
    await open(dying as Counting, { folder })
    await importTalk(200, 1_000)
    await stage.send(prose("p0", 100))
    await vi.waitFor(() => expect(left).toBeLessThan(0), { timeout: 20_000 })
    const before = (await stage.rows()).archives.size
    await stage.close()
    await open(model, { folder })
    const rows = await stage.idle()
    expect(rows.archives.size).toBeGreaterThan(before)
    expect(before).toBeGreaterThan(0)
    await checkCovered(model)
    await rm(folder, { recursive: true, force: true })
  })

  it.each([2, 4, 6])("[CPT-5, CPT-12] undone, it is made again when it does not fit (%s)", async (perToken) => {
    const model = countingModel(8_000, perToken, 300)
    await open(model)
    await talk(40, 80 * perToken)
    const { archives } = await stage.runtime.archives(address)
    expect(archives.length).toBeGreaterThan(0)
    for (const { id } of archives) await stage.runtime.undoCompaction(address, id, txid)
    await talk(2, 80 * perToken, 40)
    const rows = await checkCovered(model)
    expect(rows.archives.size).toBeGreaterThan(archives.length)
  })
})

describe("a message that is too large", () => {
  const huge = (window: number, perToken: number) => Math.min(1_000_000, window * perToken * 3)

  for (const window of [8_000, 32_000])
    for (const perToken of RATIOS)
      it(`[CPT-14] is shown in part, with a note and a notice (${window}, ${perToken})`, async () => {
        const model = countingModel(window, perToken, 300)
        await open(model)
        await talk(2, 300)
        await talk(1, huge(window, perToken), 2)
        const asked = textOf(model.asked.at(-1)?.request as ModelRequest)
        expect(asked).toContain("⟦p2⟧")
        expect(asked).toContain("⟦/p2⟧")
        expect(asked).toMatch(/characters omitted/)
        const rows = await checkCovered(model)
        const last = [...rows.messages.values()].at(-1)
        expect(last?.parts.at(-1)).toMatchObject({ type: "notice", code: "context.shortened" })
        const turn = [...rows.turns.values()].at(-1)
        const { steps } = await stage.runtime.inspectTurn(address, turn?.id ?? "", { step: undefined })
        expect(steps.at(-1)?.prompt.state).toBe("exact")
        // It goes into an archive like any other, and the conversation goes on.
        await talk(4, 300, 3)
        await checkCovered(model)
        expect(Math.max(...model.asked.map(({ tokens }) => tokens))).toBeLessThanOrEqual(window)
      })

  it.each([2, 4, 6])("[CPT-12, CPT-14] so are large outputs of tools (%s)", async (perToken) => {
    const model = countingModel(32_000, perToken, 300)
    const dump = defineTool({
      name: "dump",
      description: "Dumps.",
      input: z.object({}),
      repeatable: true,
      maxOutputBytes: 400_000,
      run: async () => prose("tool", 390_000),
    })
    let calls = 0
    const calling: Counting = {
      ...model,
      run: (request, options) => {
        if (isSummary(request) || calls % 3 === 2) {
          if (!isSummary(request)) calls += 1
          return model.run(request, options)
        }
        calls += 1
        return model.run(request, {
          ...options,
          onEvent: (event) => {
            if (event.type === "finish") options.onEvent({ type: "tool", call: `c${calls}`, name: "dump", input: "{}" })
            options.onEvent(event)
          },
        })
      },
    }
    await open(calling, { tools: [dump] })
    await talk(3, 300)
    const rows = await checkCovered(model)
    expect(rows.archives.size).toBeGreaterThan(0)
    expect(Math.max(...model.asked.map(({ tokens }) => tokens))).toBeLessThanOrEqual(32_000)
  })
})

describe("a summary that cannot be had", () => {
  const retry = { settings: { retry: { tries: 5, baseMs: 1, maxMs: 2 } } }

  function withoutSummaries(model: Counting, said: string): Counting {
    const asked: ModelRequest[] = []
    return {
      ...model,
      get summaries() {
        return asked.map(textOf)
      },
      run: async (request, options) => {
        if (!isSummary(request)) return model.run(request, options)
        asked.push(request)
        options.onEvent({ type: "text", text: said })
      },
    }
  }

  it.each([
    ["empty", " \n"],
    ["endless", "x".repeat(200_000)],
  ])("[CPT-13] that is %s is requested 3 times, with status retrying; the compaction fails", async (_, said) => {
    const model = withoutSummaries(countingModel(8_000, 4, 300), said)
    await open(model, retry)
    await talk(3, 300)
    const turn = await compact(0)
    expect(turn).toMatchObject({ state: "failed", error: { code: "model.failed" } })
    expect(model.summaries).toHaveLength(3)
    const statuses = (await stage.log()).flatMap((event) => (event.type === "status" ? [event.value] : []))
    expect(statuses.filter(({ state }) => state === "retrying").map(({ attempt }) => attempt)).toEqual([2, 3])
    await talk(1, 300, 3)
    expect((await stage.rows()).archives.size).toBe(0)
  })

  it("[CPT-13] a turn that needs it goes on with everything while that fits, and says so", async () => {
    const model = withoutSummaries(countingModel(8_000, 4, 300), "")
    await open(model, retry)
    for (let turn = 0; turn < 5; turn++) await talk(1, 4_000, turn)
    const rows = await stage.rows()
    expect(rows.archives.size).toBe(0)
    expect([...rows.messages.values()].at(-1)?.parts.at(-1)).toMatchObject({
      type: "notice",
      code: "compaction.failed",
    })
    expect(textOf(model.asked.at(-1)?.request as ModelRequest)).toContain("⟦p0⟧")
    await checkCovered(model)
  })

  it("[CPT-13] one that does not fit fails, drops nothing, and the next one tries again", async () => {
    const model = countingModel(8_000, 4, 300)
    let isBroken = true
    const breaking: Counting = {
      ...model,
      run: async (request, options) => {
        if (isSummary(request) && isBroken) throw new ModelFault("no", { transient: false })
        return model.run(request, options)
      },
    }
    await open(breaking, retry)
    for (let turn = 0; turn < 5; turn++) await talk(1, 4_000, turn)
    await stage.send(prose("p5", 12_000))
    const failed = await stage.until((rows) => rows.status.get("status")?.state === "error")
    expect(failed.status.get("status")?.error?.code).toBe("compaction.failed")
    isBroken = false
    await talk(1, 300, 6)
    const rows = await checkCovered(model)
    expect(rows.archives.size).toBeGreaterThan(0)
  })
})

async function importTalk(messages: number, chars: number): Promise<void> {
  const lines = Array.from({ length: messages }, (_, index) =>
    JSON.stringify({ role: index % 2 === 0 ? "person" : "agent", text: prose(`i${index}`, chars) }),
  )
  await stage.runtime.importLines(address, lines, { txid })
}

async function compact(keepTurns: number) {
  const { turn } = await stage.runtime.compact(address, { keepTurns, txid })
  const rows = await stage.until((now) => now.turns.get(turn)?.endedAt !== null && now.turns.has(turn))
  return rows.turns.get(turn)
}
