/** A machine: its disk outlives the processes that run on it, one after another. */
import {
  type Agent,
  type Clock,
  createRuntime,
  defaultSettings,
  type Ids,
  type Log,
  type Runtime,
  type Settings,
  type Store,
} from "@parlor/core"
import { MemorySpool } from "@parlor/core/testing"
import type { Random } from "../faults/random.ts"
import { AGENTS } from "./agent-names.ts"
import type { Process } from "./process.ts"
import type { Profile } from "./profile.ts"
import { type ModelParts, simModel } from "./sim-model.ts"
import { simTools } from "./sim-tools.ts"
import type { Witness } from "./witness.ts"

export type Machine = {
  readonly number: number
  readonly spool: MemorySpool
  process: Process | undefined
  runtime: Runtime | undefined
  /** Takes commands. */
  isReady: boolean
}

export type RuntimeNeeds = {
  readonly process: Process
  readonly clock: Clock
  readonly store: Store
  readonly ids: Ids
  readonly random: Random
  readonly log: Log
  readonly profile: Profile
  readonly isCalm: () => boolean
  readonly witness: Witness
}

export function newMachine(number: number): Machine {
  return { number, spool: new MemorySpool(), process: undefined, runtime: undefined, isReady: false }
}

export function settingsOf(profile: Profile): Settings {
  return {
    ...defaultSettings,
    queueLimit: profile.queueLimit,
    stallMs: 4_000,
    retry: { tries: 3, baseMs: 500, maxMs: 4_000 },
    errorHold: { tries: 2, baseMs: 1_000, maxMs: 8_000 },
  }
}

export function newRuntime(machine: Machine, needs: RuntimeNeeds): Runtime {
  const { clock, store, ids, random, log, profile } = needs
  return createRuntime({
    store,
    spool: machine.spool,
    clock,
    ids,
    random: { next: () => random.int(0, 999_999) / 1_000_000 },
    log,
    agents: AGENTS.map((name) => agent(name, needs)),
    settings: settingsOf(profile),
  })
}

function agent(name: string, needs: RuntimeNeeds): Agent {
  const { process, random, profile, isCalm, witness } = needs
  const { budgetTokens, onStop, onError } = profile
  const model: ModelParts = {
    process,
    random,
    isCalm,
    faults: profile.modelFaults,
    window: profile.window,
    charsPerToken: profile.charsPerToken,
    nextCall: () => witness.nextCall,
    nextToken: () => witness.nextToken(),
    called: (call) => witness.called(call),
  }
  return {
    name,
    description: "",
    instructions: "",
    model: simModel("first", model),
    ...(profile.fallback ? { fallback: simModel("second", model) } : {}),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    ...(onStop === undefined ? {} : { onStop }),
    ...(onError === undefined ? {} : { onError }),
    tools: simTools({ process, random, isCalm, ran: (run) => witness.ran(run) }),
    slashCommands: [],
  }
}
