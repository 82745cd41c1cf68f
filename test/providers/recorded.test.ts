/** Turns against recorded responses of each provider: what goes out, what comes back, and what goes out next. */
import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Agent, defineTool, type Model } from "@parlor/core"
import { gate, MemoryStore } from "@parlor/core/testing"
import { systemClock } from "@parlor/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { address, openStage, type Stage, type StageOptions } from "../scenario/stage.ts"
import { KEY, type RecordedProvider, recorded, recordedModel } from "./recorded/providers.ts"
import { openReplay, type Replay } from "./recorded/replay.ts"
import { weather } from "./stand.ts"

const quick = { retry: { tries: 3, baseMs: 5, maxMs: 10 } }

describe.each(recorded)("recorded: $name", (provider) => {
  let replay: Replay
  let stage: Stage | undefined
  let model: Model
  beforeEach(async () => {
    replay = await openReplay()
    model = await recordedModel(provider, replay.url)
  })
  afterEach(async () => {
    await stage?.close()
    stage = undefined
    await replay.close()
  })

  const open = async (agent: Partial<Agent> = {}, more: StageOptions = {}) => {
    const store = more.folder === undefined ? { store: new MemoryStore(systemClock) } : {}
    const opened = await openStage({
      tools: [weather],
      settings: quick,
      ...store,
      ...more,
      agent: { model, instructions: "Be brief.", ...agent },
    })
    stage = opened
    return opened
  }
  const lastSaid = async (on: Stage) => (await on.transcript()).at(-1)
  /** What goes back, or what a provider that takes nothing would show by its mere absence. */
  const returned = (index: number) => {
    const sent = replay.sent[index]
    return sent === undefined || provider.returned === undefined ? undefined : provider.returned(sent)
  }
  const nothing = (value: unknown) => value === undefined || (Array.isArray(value) && value.every((one) => !one))

  it("[MOD-2] settings of the agent are sent in the provider's own words, to its own address, with its own key", async () => {
    replay.next.push(provider.says("Hello."))
    const on = await open({ modelSettings: { temperature: 0.4, maxOutputTokens: 500, reasoning: "low" } })
    await on.send("Hi")
    await on.idle()
    expect(await lastSaid(on)).toBe("agent: Hello.")
    expect(replay.sent).toHaveLength(1)
    expect(replay.sent[0]?.path).toBe(provider.path)
    expect(replay.sent[0]?.body).toMatchObject(provider.settings)
    expect(JSON.stringify(replay.sent[0]?.body)).not.toContain(KEY)
    expect(JSON.stringify(replay.sent[0]?.headers)).toContain(KEY)
  })

  it("[MOD-7] reasoning goes back with its signature in the second and the third step, and not in the next turn", async () => {
    replay.next.push(provider.thinksAndCalls, provider.thinksAndCalls, provider.says("Four."), provider.says("Bye."))
    const on = await open()
    await on.send("Oslo?")
    await on.idle()
    await on.send("Thanks")
    const rows = await on.idle()
    expect(rows.status.get("status")).toMatchObject({ state: "idle", error: null })
    expect(await lastSaid(on)).toBe("agent: Bye.")
    if (provider.returned === undefined) return
    expect(nothing(returned(0))).toBe(true)
    expect(returned(1)).toEqual(provider.expected)
    expect(JSON.stringify(returned(2))).toContain(JSON.stringify(provider.expected).slice(1, -1))
    expect(JSON.stringify(replay.sent[3]?.body)).not.toContain(JSON.stringify(provider.expected).slice(1, -1))
    const said = [...rows.messages.values()].filter(({ role }) => role === "agent")
    expect(said.map((message) => message.model)).toEqual(said.map(() => provider.spec))
  })

  it("[MOD-7] a turn that resumes after a restart returns the reasoning of the step before", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parlor-recorded-"))
    const entered = gate()
    const stuck = defineTool({ ...weather, run: () => new Promise(() => entered.open()) })
    replay.next.push(provider.thinksAndCalls, provider.says("Four."))
    const before = await open({}, { folder, tools: [stuck] })
    await before.send("Oslo?")
    await entered.opened
    await before.close()
    const after = await open({}, { folder })
    const rows = await after.idle()
    expect(await lastSaid(after)).toBe("agent: Four.")
    expect([...rows.turns.values()]).toMatchObject([{ state: "done" }])
    if (provider.returned !== undefined) expect(returned(1)).toEqual(provider.expected)
    await after.close()
    stage = undefined
    await rm(folder, { recursive: true, force: true })
  })

  it("[MOD-8] a provider that refuses its own reasoning is asked once more without it, for the rest of the turn", async () => {
    if (provider.returned === undefined) return
    replay.next.push(
      provider.thinksAndCalls,
      provider.refusesReasoning,
      provider.thinksAndCalls,
      provider.says("Four."),
    )
    const on = await open()
    await on.send("Oslo?")
    const rows = await on.idle()
    expect(rows.status.get("status")).toMatchObject({ state: "idle", error: null })
    expect(await lastSaid(on)).toBe("agent: Four.")
    expect(replay.sent).toHaveLength(4)
    expect(returned(1)).toEqual(provider.expected)
    const expected = JSON.stringify(provider.expected).slice(1, -1)
    for (const index of [2, 3]) expect(JSON.stringify(replay.sent[index]?.body)).not.toContain(expected)
  })

  it("[MOD-8, MOD-11] reasoning goes to no other model: neither to a fallback nor back from it", async () => {
    const spec = `${provider.spec}-2`
    const fallback = await recordedModel({ ...provider, spec }, replay.url)
    const down = { status: 503, body: JSON.stringify({ error: { message: "Overloaded." } }) }
    // The second step fails three times and goes to the fallback; the third step begins with the first model again.
    replay.next.push(provider.thinksAndCalls, down, down, down, provider.thinksAndCalls, provider.says("Four."))
    const on = await open({ fallback: [fallback] })
    await on.send("Oslo?")
    const rows = await on.idle()
    expect(await lastSaid(on)).toBe("agent: Four.")
    const said = [...rows.messages.values()].filter(({ role }) => role === "agent")
    expect(said.map((message) => message.model)).toEqual([provider.spec, spec, provider.spec])
    if (provider.returned === undefined) return
    const own = JSON.stringify(provider.expected).slice(1, -1)
    const times = (index: number) => JSON.stringify(replay.sent[index]?.body).split(own).length - 1
    expect([0, 1, 2, 3, 4, 5].map(times)).toEqual([0, 1, 1, 1, 0, 1])
  })

  it("[MOD-10] cached, written and reasoning tokens are counted, each at its price", async () => {
    replay.next.push(provider.says("Hello."))
    const price = { input: 1_000, output: 10_000, cached: 100, cacheWrite: 1_250 }
    const on = await open({ model: { ...model, price } })
    await on.send("Hi")
    const usage = (await on.idle()).status.get("status")?.usage
    const written = provider.written ?? 0
    expect(usage).toMatchObject({
      inputTokens: 2_400,
      outputTokens: 96,
      cachedTokens: provider.cached,
      reasoningTokens: provider.reasoning,
      ...(written > 0 ? { cacheWriteTokens: written } : {}),
    })
    const rest = 2_400 - provider.cached - written
    expect(usage?.costMicros).toBe(provider.cached * 100 + written * 1_250 + rest * 1_000 + 96 * 10_000)
  })

  it("[CMP-13, MOD-2] an image and a PDF are sent in the provider's own form", async () => {
    replay.next.push(provider.says("Seen."))
    const on = await open()
    const files = {
      "dot.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]),
      "plan.pdf": new Uint8Array(Buffer.from("%PDF-1.7\nplan")),
    }
    const nodes = []
    for (const [name, content] of Object.entries(files)) {
      const hash = createHash("sha256").update(content).digest("hex")
      const contentType = name.endsWith("png") ? "image/png" : "application/pdf"
      await on.runtime.attach(address.person, { hash, name, contentType }, content)
      nodes.push({ kind: "attachment", hash, start: 5, end: 5, raw: "" })
    }
    const payload = { source: "Look.", nodes }
    const txid = on.runtime.txid()
    await on.runtime.send(address, { type: "composer_input", payload, mode: "immediate", source: "person", txid })
    await on.idle()
    const [sent] = replay.sent
    const parts = sent === undefined ? [] : provider.parts(sent)
    const base64 = (name: keyof typeof files) => Buffer.from(files[name]).toString("base64")
    expect(parts).toContainEqual(expect.objectContaining(provider.image(base64("dot.png"))))
    if (provider.pdf) expect(parts).toContainEqual(expect.objectContaining(provider.pdf(base64("plan.pdf"))))
    else expect(JSON.stringify(parts)).toContain("plan.pdf is application/pdf, which you cannot")
  })

  it.each(provider.noQuota.map((recording, index) => [index, recording] as const))(
    "[MOD-14] a used-up quota (%i) is asked for once, and the error says what to do",
    async (_, recording) => {
      replay.next.push(recording)
      const on = await open()
      await on.send("Hi")
      const rows = await on.until((now) => now.status.get("status")?.state === "error")
      expect(replay.sent).toHaveLength(1)
      expect(rows.status.get("status")?.error).toMatchObject({
        code: "model.quota",
        detail: expect.stringMatching(/is used up: add to it.*, or choose another model\.$/),
      })
    },
  )

  it("[MOD-14, MOD-11] with a used-up quota the fallback answers", async () => {
    const other = recorded[(recorded.indexOf(provider) + 1) % recorded.length] as RecordedProvider
    replay.next.push(...provider.noQuota.slice(0, 1), other.says("I can."))
    const on = await open({ fallback: await recordedModel(other, replay.url) })
    await on.send("Hi")
    await on.idle()
    expect(await lastSaid(on)).toBe("agent: I can.")
    expect(replay.sent).toHaveLength(2)
  })

  it("[MOD-14, TRN-10] a rate limit is retried when the provider says", async () => {
    replay.next.push(provider.rateLimit, provider.says("Hello."))
    const on = await open()
    await on.send("Hi")
    await on.idle()
    expect(await lastSaid(on)).toBe("agent: Hello.")
    const retrying = (await on.log()).flatMap((change) =>
      change.type === "status" && change.value.state === "retrying" ? [change.value] : [],
    )
    expect(retrying).toHaveLength(1)
    expect(retrying[0]?.error?.code).toBe("model.failed")
    expect((retrying[0]?.retryAt ?? 0) - (retrying[0]?.since ?? 0)).toBeLessThanOrEqual(25)
  })

  it("[MOD-14] a rejected key is asked for once, and the error names the variable", async () => {
    replay.next.push(provider.badKey)
    const on = await open()
    await on.send("Hi")
    const rows = await on.until((now) => now.status.get("status")?.state === "error")
    expect(replay.sent).toHaveLength(1)
    expect(rows.status.get("status")?.error).toMatchObject({
      code: "model.key",
      detail: expect.stringMatching(/Check [A-Z_]+_API_KEY\.$/),
    })
  })
})

describe("recorded: Anthropic's prompt cache", () => {
  let replay: Replay
  afterEach(() => replay.close())

  it("[MOD-9] marks instructions and tools, the last message, and the end of the request before", async () => {
    replay = await openReplay()
    const anthropic = recorded.find(({ name }) => name === "Anthropic") as RecordedProvider
    replay.next.push(
      anthropic.thinksAndCalls,
      anthropic.thinksAndCalls,
      anthropic.says("Four."),
      anthropic.says("Bye."),
    )
    const model = await recordedModel(anthropic, replay.url)
    const stage = await openStage({
      store: new MemoryStore(systemClock),
      tools: [weather, defineTool({ ...weather, name: "second", input: z.object({}), run: async () => 1 })],
      agent: { model, instructions: "Be brief." },
    })
    await stage.send("Oslo?")
    await stage.idle()
    await stage.send("Thanks")
    await stage.idle()
    await stage.close()
    const marks = replay.sent.map(({ body }) => {
      const { system, messages, tools } = body as Record<"system" | "messages" | "tools", { cache_control?: unknown }[]>
      const isMarked = ({ cache_control: mark }: { cache_control?: unknown }) =>
        JSON.stringify(mark) === '{"type":"ephemeral"}'
      const marked = messages.flatMap((message, index) =>
        (message as { content: { cache_control?: unknown }[] }).content.some(isMarked) ? [index] : [],
      )
      return { system: system.some(isMarked), tools: tools.some(isMarked), marked, count: messages.length }
    })
    expect(marks).toEqual([
      { system: true, tools: false, marked: [0], count: 1 },
      { system: true, tools: false, marked: [0, 2], count: 3 },
      { system: true, tools: false, marked: [2, 4], count: 5 },
      { system: true, tools: false, marked: [4, 6], count: 7 },
    ])
  })
})
