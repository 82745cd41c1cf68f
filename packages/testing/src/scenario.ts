/**
 * A conversation with an agent, without a network and without a key: a scripted model, a store in memory, a clock that
 * moves only as far as it has to. Everything else is what a server runs.
 */
import { type AgentDefinition, type Config, defineConfig } from "@parlor/agent"
import { resolveAgents } from "@parlor/agent/load"
import { createRuntime, type Json, type ModelRequest, type Runtime, type Settings, silentLog } from "@parlor/core"
import {
  countingIds,
  FakeClock,
  MemorySpool,
  MemoryStore,
  type ScriptedModel,
  scriptedModel,
} from "@parlor/core/testing"
import {
  type Address,
  type AskRow,
  COMPOSER_INPUT,
  emptyRows,
  encodeChange,
  fold,
  type MessageRow,
  parseComposer,
  Refusal,
  type Rows,
  type SendMode,
  type Sent,
  type SlashCommandRow,
  type TxId,
} from "@parlor/protocol"
import { type Said, scriptOf } from "./said.ts"
import { lineOf } from "./transcript.ts"

export type ScenarioOptions = {
  /** Who is talked to; the first, when not said. */
  readonly agent?: string
  readonly person?: string
  readonly branch?: string
  /** What the model says, one entry each time it is asked. For several agents, by name. */
  readonly model?: readonly Said[] | Readonly<Record<string, readonly Said[]>>
  /** Where relative paths of skills begin; the working folder, when not said. */
  readonly folder?: string
  /** How long to wait for the agent to finish, in real time. */
  readonly patienceMs?: number
  readonly settings?: Partial<Settings>
}

export type SceneSend = {
  readonly guests?: readonly string[]
  readonly mode?: SendMode
  /** Do not wait until the agent is through. */
  readonly wait?: false
}

/** One conversation. Every act waits until there is nothing left to do, or until the person is asked something. */
export type Scene = {
  send(message: string | { readonly type: string; readonly payload: Json }, options?: SceneSend): Promise<Sent>
  /** Answers the oldest open ask. */
  answer(answer: Json): Promise<void>
  stop(): Promise<void>
  /** One line for each message: `person: hi`, `agent: hello`, `critic: hm`. */
  transcript(): Promise<readonly string[]>
  messages(): Promise<readonly MessageRow[]>
  rows(): Promise<Rows>
  slashCommands(): Promise<readonly SlashCommandRow[]>
  asks(): Promise<readonly AskRow[]>
  /** What a model was asked, first to last; of one agent, or of the one talked to. */
  requests(agent?: string): readonly ModelRequest[]
  /** Another conversation with the same store, clock and models. */
  with(place: { readonly agent?: string; readonly person?: string; readonly branch?: string }): Scene
  /** The process dies without a word and another one takes over. */
  crash(): Promise<void>
  /** Resolves when there is nothing left to do. */
  settled(): Promise<void>
  readonly clock: FakeClock
  readonly runtime: Runtime
  close(): Promise<void>
}

const PATIENCE_MS = 10_000
/** How far the clock is moved when nothing happens by itself. */
const NUDGE_MS = 100
const QUIET_ROUNDS = 20
const LEASE_MS = 1_000
const txid = "tx_scenario" as TxId

type World = {
  readonly store: MemoryStore
  readonly clock: FakeClock
  readonly models: ReadonlyMap<string, ScriptedModel>
  readonly patienceMs: number
  process: Process
  start(): Promise<Process>
}
type Process = { readonly runtime: Runtime; kill(): void }

export async function scenario(
  agents: Config | AgentDefinition | readonly AgentDefinition[],
  options: ScenarioOptions = {},
): Promise<Scene> {
  const config = configOf(agents)
  const first = config.agents[0]
  const address = {
    agent: options.agent ?? first?.name ?? "",
    person: options.person ?? "ana",
    branch: options.branch ?? "main",
  }
  return sceneAt(await openWorld(config, address.agent, options), address)
}

async function openWorld(config: Config, spokenTo: string, options: ScenarioOptions): Promise<World> {
  const models = new Map(config.agents.map(({ name }) => [name, scriptedModel(scriptsOf(options, name, spokenTo))]))
  const scripted = config.agents.map(({ fallback: _, ...agent }) => ({ ...agent, model: modelOf(models, agent.name) }))
  const resolved = await resolveAgents(
    { ...config, agents: scripted },
    { folder: options.folder ?? process.cwd(), env: {}, defaultModel: async () => scriptedModel([]) },
  )
  const clock = new FakeClock()
  const store = new MemoryStore(clock)
  const ids = countingIds()
  const start = async () => {
    const { life, kill } = lifeOf(store, clock)
    const runtime = createRuntime({
      ...life,
      spool: new MemorySpool(),
      ids,
      random: { next: () => 0.5 },
      log: silentLog,
      agents: resolved.agents,
      settings: { leaseMs: LEASE_MS, ...options.settings },
    })
    await runtime.start()
    return { runtime, kill }
  }
  return { store, clock, models, patienceMs: options.patienceMs ?? PATIENCE_MS, process: await start(), start }
}

/** What one process has of the world. Killed, its timers never fire and what it asks of the store is never answered. */
function lifeOf(store: MemoryStore, clock: FakeClock) {
  let isAlive = true
  const own = store.node()
  const after: FakeClock["after"] = (ms, call) => clock.after(ms, () => isAlive && call())
  return {
    life: { store: own, clock: { now: () => clock.now(), after } },
    kill: () => {
      isAlive = false
      const never = () => new Promise<void>(() => {})
      own.hooks = { latency: never, readLatency: never }
    },
  }
}

function sceneAt(world: World, address: Address): Scene {
  const { store, clock } = world
  const rows = async () => {
    const stream = await world.process.runtime.conversation(address)
    const page = await store.log.events(stream.id, 0, { count: 1_000_000, bytes: Number.MAX_SAFE_INTEGER })
    return fold(
      emptyRows(),
      (page?.changes ?? []).map((change) => JSON.parse(encodeChange(change))),
    )
  }
  const messages = async () => [...(await rows()).messages.values()].sort((a, b) => a.ord - b.ord)
  const settled = () => settle(world, rows)
  return {
    clock,
    get runtime() {
      return world.process.runtime
    },
    rows,
    messages,
    settled,
    async send(message, { guests, mode = "immediate", wait } = {}) {
      const sent = await world.process.runtime.send(address, {
        ...(typeof message === "string" ? await typed(world, address, message) : message),
        ...(guests === undefined ? {} : { guests }),
        mode,
        source: "person",
        txid,
      })
      if (wait !== false) await settled()
      return sent
    },
    async answer(answer) {
      const [ask] = openAsks(await rows())
      if (ask === undefined) throw new Refusal("ask.unknown", "There is no open ask.")
      await world.process.runtime.answer(address, ask.id, answer, { by: address.person, txid })
      await settled()
    },
    async stop() {
      await world.process.runtime.stop(address, { turn: undefined, onQueue: undefined, txid })
      await settled()
    },
    transcript: async () => (await messages()).map(lineOf),
    slashCommands: async () => [...(await rows()).slashCommands.values()],
    asks: async () => openAsks(await rows()),
    requests: (agent = address.agent) => modelOf(world.models, agent).requests,
    with: (place) => sceneAt(world, { ...address, ...place }),
    async crash() {
      world.process.kill()
      await clock.advance(LEASE_MS * 2)
      world.process = await world.start()
      await settled()
    },
    close: () => world.process.runtime.close(),
  }
}

/** As a page or a terminal would send it: commands and names found, the text kept. */
async function typed(world: World, address: Address, source: string): Promise<{ type: string; payload: Json }> {
  const { slashCommands: commands } = await world.process.runtime.snapshot(address, { messages: 1 })
  const agents = world.process.runtime.agents().map(({ name }) => name)
  const input = parseComposer(source, { commands: commands.map(({ name }) => name), agents })
  return { type: COMPOSER_INPUT, payload: input as unknown as Json }
}

/** Real time for what is really outside; the clock is moved when nothing happens by itself. */
async function settle(world: World, rows: () => Promise<Rows>): Promise<void> {
  const until = Date.now() + world.patienceMs
  for (let round = 1; ; round++) {
    const now = await rows()
    if (isSettled(now)) return
    if (Date.now() > until) throw new Error(`The agent has not finished: ${JSON.stringify(now.status.get("status"))}`)
    await new Promise((resolve) => setTimeout(resolve, round > QUIET_ROUNDS ? 1 : 0))
    await world.clock.advance(round > QUIET_ROUNDS ? NUDGE_MS : 1)
  }
}

function isSettled(rows: Rows): boolean {
  const status = rows.status.get("status")
  if (status === undefined || openAsks(rows).length > 0) return true
  const waits = status.held === null && [...rows.queue.values()].some(({ mode }) => mode !== "paused")
  return status.turn === null && !waits
}

function openAsks(rows: Rows): readonly AskRow[] {
  return [...rows.asks.values()].filter(({ state }) => state === "open")
}

function configOf(agents: Config | AgentDefinition | readonly AgentDefinition[]): Config {
  if ("agents" in agents) return agents
  return defineConfig({ agents: "name" in agents ? [agents] : agents })
}

function scriptsOf({ model = [] }: ScenarioOptions, name: string, spokenTo: string) {
  const said: readonly Said[] = isList(model) ? (name === spokenTo ? model : []) : (model[name] ?? [])
  return said.map(scriptOf)
}

function isList(model: NonNullable<ScenarioOptions["model"]>): model is readonly Said[] {
  return Array.isArray(model)
}

function modelOf(models: ReadonlyMap<string, ScriptedModel>, agent: string): ScriptedModel {
  const model = models.get(agent)
  if (model === undefined) throw new Error(`There is no agent "${agent}" in this scenario.`)
  return model
}
