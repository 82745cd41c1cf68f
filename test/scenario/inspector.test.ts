/** [LOG-15] The inspector against what models were really sent: everything that can change meanwhile changes. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type Agent,
  BY_PERSON,
  defineTool,
  type Handler,
  type Model,
  ModelFault,
  type ModelRequest,
  type Store,
  SUMMARY_INSTRUCTIONS,
} from "@parlor/core"
import {
  calls,
  finish,
  gate,
  MemoryStore,
  type Script,
  type ScriptStep,
  says,
  scriptedModel,
} from "@parlor/core/testing"
import { emptyUsage, Fault, type InspectedTurn, type Usage } from "@parlor/protocol"
import { systemClock } from "@parlor/server"
import { openPostgres, openSqlite } from "@parlor/store"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { digest } from "../http/client.ts"
import { freshDatabase } from "../support/postgres.ts"
import { wrapStore } from "../support/store-calls.ts"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

const used = (inputTokens: number): Usage => ({ ...emptyUsage, inputTokens, outputTokens: 10, costMicros: 0 })
const lookup = (run: () => Promise<string>) =>
  defineTool({
    name: "lookup",
    description: "Looks something up.",
    input: z.object({ word: z.string() }),
    repeatable: true,
    maxOutputBytes: 200,
    run,
  })

type Sent = { readonly model: string; readonly request: unknown }
const sent: Sent[] = []

/** A model that keeps what it is sent, as it is then. */
function listening(name: string, scripts: readonly Script[], change: Partial<Model> = {}): Model {
  const model = scriptedModel(scripts)
  return {
    ...model,
    window: 4_000,
    price: { input: 1, output: 2 },
    ...change,
    name,
    run: (request, options) => {
      if (request.instructions !== SUMMARY_INSTRUCTIONS) sent.push({ model: name, request: plain(request) })
      return model.run(request, options)
    },
  }
}

/** Attachments by their size: the bytes are in the attachment. */
function plain(request: ModelRequest): unknown {
  return JSON.parse(
    JSON.stringify(request, (_, value) => (value instanceof Uint8Array ? value.length : value)).replaceAll(
      /"data":(\d+)/g,
      '"bytes":$1',
    ),
  )
}

const opened: Record<string, (folder: string) => Promise<{ store: Store; drop?: () => Promise<void> }>> = {
  memory: async () => ({ store: new MemoryStore(systemClock) }),
  SQLite: async (folder) => ({ store: await openSqlite({ path: join(folder, "parlor.db") }) }),
  PostgreSQL: async () => {
    const { url, drop } = await freshDatabase()
    return { store: await openPostgres({ url }), drop }
  },
}

describe.each(Object.keys(opened))("the inspector on %s", (kind) => {
  let stage: Stage
  let folder: string
  let drop: (() => Promise<void>) | undefined

  beforeEach(() => {
    sent.length = 0
    folder = mkdtempSync(join(tmpdir(), "parlor-inspector-"))
  })
  afterEach(async () => {
    await stage.close()
    await drop?.()
    rmSync(folder, { recursive: true, force: true })
  })

  const crab = (model: Model, change: Partial<Agent> = {}): Agent => ({
    ...{ name: "crab", description: "", instructions: "Be a crab.", slashCommands: [], tools: [], model },
    ...change,
  })
  const open = async (agent: Agent, options: StageOptions = {}) => {
    const made = await opened[kind]?.(folder)
    if (made === undefined) throw new Error("no such store")
    drop = made.drop
    stage = await openStage({ ...options, agent, store: made.store })
  }
  const say = async (text: string, options: Parameters<Stage["send"]>[1] = {}) => {
    await stage.send(text, options)
    await stage.idle()
  }
  /** Every turn, oldest first. */
  const inspected = async (
    at: { agent: string; person: string; branch: string } = address,
  ): Promise<InspectedTurn[]> => {
    const { turns } = await stage.runtime.inspectTurns(at, { cursor: undefined, limit: 100 })
    return Promise.all(turns.reverse().map(({ id }) => stage.runtime.inspectTurn(at, id, { step: undefined })))
  }
  /** The last call of each step, in the order they were made: calls that failed were sent the same. */
  const prompts = (turns: readonly InspectedTurn[]) =>
    turns.flatMap(({ steps }) => steps.map(({ model, prompt }) => ({ model, ...prompt })))

  it("[LOG-15, CPT-10] shows the exact prompt of every step, whatever has changed since", async () => {
    const pause = gate()
    const model = listening("big", [
      calls("lookup", { word: "tide" }),
      [{ type: "reasoning", text: "hm" }, ...calls("lookup", { word: "moon" }, "call_2")],
      says("High at noon.", used(900)),
      says("As I said.", used(1_000)),
      says("Full now.", used(3_900)),
      says("Tides were discussed. At length."),
      says("After the summary.", used(500)),
      says("On the new way.", used(600)),
    ])
    const tools = [lookup(() => pause.opened.then(() => "wet ".repeat(100)))]
    const guest = crab(listening("small", [says("I doubt it.")]), { name: "critic", instructions: "Doubt." })
    const host = crab(model, { tools, memory: true, skills: [{ name: "tides", description: "", body: "", files: {} }] })
    await open(host, { others: [guest] })
    const remember = (body: string) =>
      stage.runtime.writeMemory(
        address.person,
        { scope: "user", name: "sea", description: `The sea: ${body}`, type: "user", body, pinned: true },
        BY_PERSON,
      )
    await remember("calm")
    await stage.send("When is the tide?")
    await stage.until(({ messages }) =>
      [...messages.values()].some(({ parts }) => parts.some(({ type }) => type === "tool")),
    )
    await stage.send("And the moon?", { mode: "steer" })
    pause.open()
    await stage.idle()
    await say("What do you think?", { guests: ["critic", "crab"] })
    await remember("wild")
    await say("And now?")
    await say("Go on.")
    const { messages } = await stage.rows()
    const first = [...messages.values()].find(({ parts }) =>
      parts.some((part) => part.type === "text" && part.text === "And now?"),
    )
    await stage.runtime.rollBack(address, { to: first?.id ?? "", scope: "both", edit: false, txid })
    await stage.idle()
    stage.runtime.replaceAgents([{ ...host, instructions: "Be a lobster.", tools: [] }, guest])
    await say("Another way.")
    await remember("gone")
    const turns = await inspected()
    expect(prompts(turns)).toEqual(sent.map(({ model, request }) => ({ model, state: "exact", request })))
    expect(sent.length).toBe(8)
    expect(turns.map(({ turn }) => [turn.guest, turn.model, turn.question])).toEqual([
      [null, "big", "When is the tide?"],
      ["critic", "small", "What do you think?"],
      [null, "big", "What do you think?"],
      [null, "big", "And now?"],
      [null, "big", "Go on."],
      [null, "big", "Another way."],
    ])
    expect(turns[3]?.turn.context).toEqual({ tokens: 3_910, window: 4_000 })
    expect(turns[4]?.changes.map(({ what }) => what)).toContainEqual(expect.stringMatching(/^summed up: Tides were/))
  })

  it("[LOG-15] times tools, waits and tries, and says what broke", async () => {
    const fault = new ModelFault("The provider is overloaded.", { transient: true, retryAfterMs: 1 })
    const scripts: Script[] = [
      [{ type: "text", text: "I beg" }, fault],
      calls("lookup", { word: "x" }),
      says("Done.", used(7)),
    ]
    const ask = defineTool({
      ...lookup(async () => "found"),
      approval: "always",
    } as never)
    await open(crab(listening("big", scripts), { tools: [ask] }))
    await stage.send("Look")
    const asked = await stage.until(({ asks }) => [...asks.values()].some(({ state }) => state === "open"))
    const open1 = (await inspected())[0]
    expect(open1?.steps[0]?.prompt.state, "the prompt is there while the person is asked").toBe("exact")
    expect(open1?.waits.at(-1)).toMatchObject({ kind: "ask", endedAt: null })
    const [row] = [...asked.asks.values()]
    await stage.runtime.answer(address, row?.id ?? "", true, { by: "ana", txid })
    await stage.idle()
    const [turn] = await inspected()
    if (turn === undefined) throw new Error("no turn")
    const [one, two] = turn.steps
    expect(one?.attempts.map(({ error, model }) => [model, error])).toEqual([
      ["big", "The provider is overloaded."],
      ["big", null],
    ])
    expect(one?.attempts[0]?.message, "what the broken try said").not.toBeNull()
    expect(one?.tools).toEqual([
      {
        ...{ call: "call_1", name: "lookup", state: "done", error: null },
        startedAt: expect.any(Number),
        endedAt: expect.any(Number),
      },
    ])
    expect(one?.tools[0]?.startedAt).toBeGreaterThanOrEqual(
      turn.waits.find(({ kind }) => kind === "ask")?.startedAt ?? 9e15,
    )
    for (const step of [one, two]) {
      expect(step?.firstAt).toBeGreaterThanOrEqual(step?.startedAt ?? 9e15)
      expect(step?.endedAt).toBeGreaterThanOrEqual(step?.firstAt ?? 9e15)
    }
    expect(turn.waits.map(({ kind, title }) => [kind, title])).toEqual([
      ["retry", "before try 2: The provider is overloaded."],
      ["ask", "Allow crab to use lookup?"],
    ])
    expect(two?.usage).toMatchObject({ inputTokens: 7, outputTokens: 10, costMicros: 27 })
    expect(turn.changes.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        "turn began",
        "busy → retrying, try 2",
        "retrying, try 2 → busy",
        "asked (approval): Allow crab to use lookup?",
        "tool lookup started",
        "tool lookup done",
        "step 1 saved",
        "turn done",
        "busy → idle",
      ]),
    )
    expect(turn).toMatchObject({ recorded: true, whole: true })
    expect(turn.changes.map(({ seq }) => seq)).toEqual(turn.changes.map(({ seq }) => seq).sort((a, b) => a - b))
  })

  it("[LOG-15] is exact where a handler, attachments, a fallback and a branch come in", async () => {
    const handler: Handler = async (ctx) => {
      await ctx.run().catch(() => ctx.insertContext({ type: "note", title: "tip", content: "Try again." }))
      await ctx.run()
    }
    const refused: ScriptStep = new ModelFault("No pictures.", { transient: false })
    const said = [says("With words."), says("Of the branch."), says("Once more.")]
    const model = listening("big", [[refused], [refused], ...said], { window: 200_000 })
    const fallback = listening("spare", [[refused], [refused]], { window: 800 })
    await open(crab(model, { handler, fallback }))
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array(40).fill(0)])
    const files = [
      { name: "a.png", contentType: "image/png", content: png },
      { name: "a.txt", contentType: "text/plain", content: new TextEncoder().encode("word ".repeat(400)) },
    ]
    for (const { name, contentType, content } of files)
      await stage.runtime.attach(address.person, { hash: digest(content), name, contentType }, content)
    const nodes = files.map(({ content }) => ({ kind: "attachment", hash: digest(content), start: 3, end: 3, raw: "" }))
    const send = { type: "composer_input", mode: "immediate", source: "test", txid } as const
    await stage.runtime.send(address, { ...send, payload: { source: "See", nodes } })
    await stage.idle()
    const [turn] = await inspected()
    const requests = turn?.steps.map(({ prompt }) => prompt.request)
    expect(turn?.steps.map(({ prompt }) => prompt.state)).toEqual(["exact", "exact"])
    expect(turn?.steps.map(({ attempts }) => attempts.map(({ model }) => model))).toEqual([
      ["big", "big", "spare", "spare"],
      ["big"],
    ])
    expect(requests).toEqual([sent[3]?.request, sent[4]?.request])
    expect(requests?.map((request) => JSON.stringify(request).includes("Try again."))).toEqual([false, true])
    const { messages } = await stage.runtime.history(address, { before: undefined, limit: 9 })
    await stage.runtime.makeBranch(address, { from: messages[0]?.id, name: "other", ephemeral: false, txid })
    const there = { ...address, branch: "other" }
    await stage.runtime.send(there, { ...send, payload: { source: "And here?" } })
    await expect.poll(async () => (await inspected(there))[0]?.turn.state).toBe("done")
    const [own] = await inspected(there)
    expect(own?.steps.map(({ prompt }) => prompt)).toEqual(
      sent.slice(5).map(({ request }) => ({ state: "exact", request })),
    )
    expect(own?.steps.length).toBe(2)
  })

  it("[LOG-15] says so where it cannot be exact", async () => {
    await open(crab(listening("big", [says("One."), says("Two.")])))
    await say("1")
    await say("2")
    const lines: string[] = []
    for await (const line of stage.runtime.exportLines(address)) lines.push(line)
    const into = { ...address, branch: "imported" }
    await stage.runtime.importLines(into, lines, { txid })
    // Turns of one millisecond are listed in any order.
    const imported = (await inspected(into)).find(({ turn }) => turn.question === "1")
    expect(imported).toMatchObject({ recorded: false, steps: [], turn: { question: "1", state: "done" } })
    const rows = await stage.rows()
    const [first] = [...rows.messages.values()]
    const stream = await stage.runtime.conversation(address)
    const value = JSON.stringify({ ...first, parts: [{ type: "text", text: "Something else" }] })
    const change = { collection: "messages", key: first?.id ?? "", operation: "update", value, ord: 1 } as const
    await stage.store.log.commit([{ stream: stream.id, changes: [change], txid, at: 1 }])
    const changed = await inspected()
    expect(changed.flatMap(({ steps }) => steps.map(({ prompt }) => prompt.state))).toEqual(["differs", "differs"])
    expect(changed[0]?.changes.at(-1)?.what, "what comes after a turn's end is no part of it").toBe("busy → idle")
  })
})

it("[LOG-15] a brief that cannot be kept does not stop a turn, and its prompt is not made up", async () => {
  const store = wrapStore(new MemoryStore(systemClock), (name, call) =>
    name === "blobs.keep" ? () => Promise.reject(new Fault("down")) : call,
  )
  const stage = await openStage({ scripts: [says("Hello.")], store })
  try {
    await stage.send("Hi")
    await stage.idle()
    const { turns } = await stage.runtime.inspectTurns(address, { cursor: undefined, limit: 1 })
    const { steps } = await stage.runtime.inspectTurn(address, turns[0]?.id ?? "", { step: undefined })
    expect(steps).toMatchObject([{ model: "scripted", prompt: { state: "missing", request: null } }])
    expect(await stage.transcript()).toEqual(["person: Hi", "agent: Hello."])
  } finally {
    await stage.close()
  }
})

it("[LOG-15] a stopped step is noted with what it was told", async () => {
  sent.length = 0
  const hold = gate()
  const model = listening("big", [[{ type: "text", text: "Well" }, hold, finish()]])
  const stage = await openStage({ agent: { model } })
  try {
    await stage.send("Go")
    await stage.until(({ deltas }) => deltas.size > 0)
    const { turns } = await stage.runtime.inspectTurns(address, { cursor: undefined, limit: 1 })
    const id = turns[0]?.id ?? ""
    const running = await stage.runtime.inspectTurn(address, id, { step: undefined })
    expect(running.steps).toMatchObject([{ number: 1, prompt: { state: "pending", request: null } }])
    await stage.runtime.stop(address, { turn: undefined, onQueue: undefined, txid })
    const stopped = await stage.runtime.inspectTurn(address, id, { step: 1 })
    expect(stopped.turn.state).toBe("stopped")
    expect(stopped.steps).toMatchObject([
      { number: 1, endedAt: null, prompt: { state: "exact", request: sent[0]?.request }, message: expect.any(String) },
    ])
    const without = await stage.runtime.inspectTurn(address, id, { step: 0 })
    expect(without.steps).toMatchObject([{ prompt: { state: "left-out", request: null } }])
    hold.open()
  } finally {
    await stage.close()
  }
})
