/** State shared by all scenes of a scenario: an in-memory store, a clock, scripted models, and one process at a time. */
import { resolve } from "node:path"
import type { Config } from "@parlor/agent"
import { resolveAgents, resolveMcp, resolveTriggers } from "@parlor/agent/load"
import { type Courier, createRuntime, type DeclaredTriggers, type Runtime, silentLog } from "@parlor/core"
import {
  countingIds,
  FakeClock,
  MemorySpool,
  MemoryStore,
  type ScriptedModel,
  scriptedModel,
  testSeal,
} from "@parlor/core/testing"
import { type FakeMcp, fakeMcp } from "./fake-mcp.ts"
import { type Said, scriptOf } from "./said.ts"
import type { Posted, ScenarioOptions } from "./scene.ts"

export const LEASE_MS = 1_000
const PATIENCE_MS = 10_000
/** Nothing here depends on sweeps; fewer sweeps make simulated days pass faster. */
const SWEEP_MS = 60_000
/** Any secret will do: deliveries of a scenario are not signed. */
const SECRET = "whsec_c2VjcmV0IG9mIGEgc2NlbmFyaW8="

export type World = {
  readonly store: MemoryStore
  readonly clock: FakeClock
  readonly models: ReadonlyMap<string, ScriptedModel>
  readonly patienceMs: number
  readonly mcp: FakeMcp
  /** Requests of outgoing webhooks, oldest first. */
  readonly posted: Posted[]
  /** All participants: time advances until none of their conversations is busy. */
  readonly people: Set<string>
  process: Process
  start(): Promise<Process>
}
type Process = { readonly runtime: Runtime; kill(): void }

export async function openWorld(
  config: Config,
  { agent, person }: { readonly agent: string; readonly person: string },
  options: ScenarioOptions,
): Promise<World> {
  const models = new Map(config.agents.map(({ name }) => [name, scriptedModel(scriptsOf(options, name, agent))]))
  const scripted = config.agents.map(({ fallback: _, ...one }) => ({ ...one, model: modelOf(models, one.name) }))
  const folder = resolve(options.folder ?? ".")
  const resolved = await resolveAgents(
    { ...config, agents: scripted },
    { folder, env: {}, defaultModel: async () => scriptedModel([]) },
  )
  const declared = ownedBy(
    resolveTriggers(config, () => SECRET),
    person,
  )
  const mcp = fakeMcp(resolveMcp(config, folder), options.mcp ?? {})
  const clock = new FakeClock(options.startAt === undefined ? undefined : Date.parse(options.startAt))
  const store = new MemoryStore(clock)
  const ids = countingIds()
  const posted: Posted[] = []
  const start = async () => {
    const { life, kill } = lifeOf(store, clock)
    const runtime = createRuntime({
      ...life,
      spool: new MemorySpool(),
      seal: testSeal,
      courier: recordingIn(posted),
      toolsets: mcp.toolsets,
      ...(options.files === undefined ? {} : { files: options.files }),
      ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
      ids,
      random: { next: () => 0.5 },
      log: silentLog,
      agents: resolved.agents,
      settings: { leaseMs: LEASE_MS, sweepMs: SWEEP_MS, ...options.settings },
    })
    await runtime.start()
    await runtime.reconcileTriggers(declared)
    return { runtime, kill }
  }
  const people = new Set([person])
  const patienceMs = options.patienceMs ?? PATIENCE_MS
  return { store, clock, models, patienceMs, mcp, posted, people, process: await start(), start }
}

export function modelOf(models: ReadonlyMap<string, ScriptedModel>, agent: string): ScriptedModel {
  const model = models.get(agent)
  if (model === undefined) throw new Error(`There is no agent "${agent}" in this scenario.`)
  return model
}

/** One simulated process. Once killed, its timers never fire and its store calls never resolve. */
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

/** Triggers without a person belong to the person of the scenario. */
function ownedBy({ schedules, hooks, notices }: DeclaredTriggers, person: string): DeclaredTriggers {
  const owned = <T extends { readonly person: string }>(one: T): T => (one.person === "me" ? { ...one, person } : one)
  return { schedules: schedules.map(owned), hooks: hooks.map(owned), notices: notices.map(owned) }
}

function recordingIn(posted: Posted[]): Courier {
  return {
    defect: () => undefined,
    take: async ({ url, body }) => {
      posted.push({ url, ...(JSON.parse(body) as Omit<Posted, "url">) })
      return { ok: true }
    },
  }
}

function scriptsOf({ model = [] }: ScenarioOptions, name: string, spokenTo: string) {
  const said: readonly Said[] = isList(model) ? (name === spokenTo ? model : []) : (model[name] ?? [])
  return said.map(scriptOf)
}

function isList(model: NonNullable<ScenarioOptions["model"]>): model is readonly Said[] {
  return Array.isArray(model)
}
