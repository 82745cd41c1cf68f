/** Hosted agents of a server: a harness for each, and one pool of processes for all (HST-13). */
import type { Clock, Harness, HarnessOffers, Log } from "@parlor/core"
import type { SessionOffers } from "./offers.ts"
import { type AgentCommand, DEFAULT_PROCESSES } from "./options.ts"
import { Orphans } from "./orphans.ts"
import { Pool } from "./pool.ts"

export type HostsOptions = {
  readonly clock: Clock
  readonly log: Log
  readonly version: string
  /** Where the ids of running processes are kept, so that the next start can end what this one left. */
  readonly file?: string
  /** Processes of all agents together. */
  readonly processes?: number | undefined
}

export type Hosts = {
  /** The same harness as before if the command is the same: its processes keep running. */
  harnessFor(agent: string, command: AgentCommand): Harness
  /** Ends processes of harnesses that are no longer in use. */
  retire(inUse: readonly Harness[]): void
  /** Ends agents that a killed server left running. Before the first prompt, and only if no other server uses the file. */
  endLeft(): Promise<void>
  /** Running processes. */
  readonly size: number
  close(): Promise<void>
}

export function openHosts(options: HostsOptions): Hosts {
  const { clock, log, version } = options
  const orphans = new Orphans(options.file)
  const pool = new Pool({ most: options.processes ?? DEFAULT_PROCESSES, clock, log, orphans })
  const harnesses = new Map<string, Harness>()
  let made = 0
  return {
    harnessFor(agent, command) {
      const definition = JSON.stringify([agent, command])
      const known = harnesses.get(definition)
      if (known !== undefined) return known
      const harness = acpHarness({ name: `${agent}~${++made}`, command, pool, clock, version })
      harnesses.set(definition, harness)
      return harness
    },
    retire(inUse) {
      for (const [definition, harness] of harnesses) {
        if (inUse.includes(harness)) continue
        harnesses.delete(definition)
        ;(harness as AcpHarness).retire()
      }
    },
    async endLeft() {
      const left = await orphans.end()
      if (left > 0) log.warn("ended hosted agents of an earlier server", { processes: left })
    },
    get size() {
      return pool.size
    },
    close: () => pool.end(""),
  }
}

type AcpHarness = Harness & { retire(): void }

type HarnessParts = {
  readonly name: string
  readonly command: AgentCommand
  readonly pool: Pool
  readonly clock: Clock
  readonly version: string
}

function acpHarness({ name, command, pool, clock, version }: HarnessParts): AcpHarness {
  let offers: HarnessOffers = { models: [], modes: [] }
  const keyOf = (conversation: string) => `${name}/${conversation}/`
  return {
    offers: () => offers,
    run: (prompt) =>
      pool.run(
        keyOf(prompt.conversation),
        {
          command,
          folder: prompt.folder,
          home: prompt.home,
          clock,
          version,
          onOffers: (session) => {
            offers = merged(offers, session)
          },
        },
        prompt,
      ),
    end: (conversation) => pool.end(keyOf(conversation)),
    retire: () => pool.retire((key) => key.startsWith(`${name}/`)),
  }
}

/** The defaults are those of the first session: later ones may have been changed by a person. */
function merged(before: HarnessOffers, { model, mode }: SessionOffers): HarnessOffers {
  return {
    models: model?.choices ?? before.models,
    modes: mode?.choices ?? before.modes,
    model: before.model ?? model?.current,
    mode: before.mode ?? mode?.current,
  }
}
