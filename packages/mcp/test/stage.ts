/** A conversation whose agent uses real MCP servers: scripted model, store in memory, real time, real processes. */
import { type Agent, createRuntime, type Json, type Log, type Runtime, silentLog } from "@parlor/core"
import {
  countingIds,
  MemorySpool,
  MemoryStore,
  type Script,
  type ScriptedModel,
  scriptedModel,
} from "@parlor/core/testing"
import {
  type AskRow,
  COMPOSER_INPUT,
  changeOf,
  emptyRows,
  fold,
  type McpServerView,
  parseComposer,
  type Rows,
  type ToolPart,
  type TxId,
} from "@parlor/protocol"
import { systemClock } from "@parlor/server"
import { type McpToolsets, memoryPins, openToolsets, type Pins, type Servers } from "../src/index.ts"

export const ADDRESS = { agent: "host", person: "me", branch: "main" }
const PATIENCE_MS = 30_000
const txid = "tx_test" as TxId

export type Stage = {
  readonly runtime: Runtime
  readonly toolsets: McpToolsets
  readonly model: ScriptedModel
  /** How often a change at a server was to wake an agent, whatever came of it. */
  wakes(): number
  send(text: string): Promise<void>
  answer(answer: Json): Promise<void>
  rows(): Promise<Rows>
  /** The tool calls of the conversation, in order. */
  calls(): Promise<readonly ToolPart[]>
  asked(): Promise<AskRow>
  idle(): Promise<void>
  /** Resolves when changes at that server are followed: earlier ones wake nobody. */
  followed(name: string): Promise<void>
  /** Resolves when that server is as it should be. */
  server(name: string, isSo: (view: McpServerView) => boolean): Promise<McpServerView>
  close(): Promise<void>
}

export type StageOptions = {
  readonly servers: Servers
  readonly scripts: readonly Script[]
  readonly pins?: Pins
  readonly agent?: Partial<Agent>
}

export async function openStage({ servers, scripts, pins, agent }: StageOptions): Promise<Stage> {
  const random = { next: () => 0 }
  const model = scriptedModel(scripts)
  const followed = new Set<unknown>()
  const log: Log = {
    ...silentLog,
    info: (what, fields) => void (what === "mcp changes followed" && followed.add(fields?.server)),
  }
  const toolsets = openToolsets({
    servers,
    pins: pins ?? memoryPins(),
    clock: systemClock,
    random,
    log,
    version: "0.0.0-test",
  })
  const store = new MemoryStore(systemClock)
  const runtime = createRuntime({
    store,
    spool: new MemorySpool(),
    clock: systemClock,
    ids: countingIds(),
    random,
    log: silentLog,
    toolsets,
    agents: [{ name: "host", description: "", instructions: "", model, tools: [], slashCommands: [], ...agent }],
  })
  await runtime.start()
  let wakes = 0
  toolsets.wakeBy({
    txid: runtime.txid,
    send: (...args) => {
      wakes += 1
      return runtime.send(...args)
    },
  })
  const rows = async () => {
    const stream = await runtime.conversation(ADDRESS)
    const page = await store.log.events(stream.id, 0, { count: 100_000, bytes: Number.MAX_SAFE_INTEGER })
    return fold(emptyRows(), (page?.changes ?? []).map(changeOf))
  }
  const openAsk = async () => [...(await rows()).asks.values()].find(({ state }) => state === "open")
  return {
    runtime,
    toolsets,
    model,
    wakes: () => wakes,
    rows,
    async send(text) {
      const names = (await rows()).slashCommands.keys()
      const input = parseComposer(text, { commands: [...names], agents: [] })
      await runtime.send(ADDRESS, {
        type: COMPOSER_INPUT,
        payload: input as unknown as Json,
        mode: "immediate",
        source: "test",
        txid,
      })
    },
    async answer(answer) {
      const ask = await openAsk()
      await runtime.answer(ADDRESS, ask?.id ?? "", answer, { by: "me", txid })
    },
    async calls() {
      const messages = [...(await rows()).messages.values()].sort((a, b) => a.ord - b.ord)
      return messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
    },
    asked: async () => (await until(openAsk, (ask) => ask !== undefined)) as AskRow,
    async idle() {
      await until(rows, (now) => {
        const status = now.status.get("status")
        return status !== undefined && status.turn === null && now.queue.size === 0
      })
    },
    followed: async (name) => {
      await until(async () => followed.has(name), Boolean)
    },
    server: async (name, isSo) =>
      (await until(
        () => toolsets.status("me").find((one) => one.name === name),
        (view) => view !== undefined && isSo(view),
      )) as McpServerView,
    async close() {
      await runtime.close()
      await toolsets.close()
    },
  }
}

export async function until<T>(look: () => Promise<T> | T, isSo: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (Date.now() > end) throw new Error(`It did not come about; last seen: ${JSON.stringify(seen)?.slice(0, 2_000)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
