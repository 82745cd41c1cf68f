/**
 * Injects random faults into a cluster, one after another: a node is killed or paused, the database restarts,
 * connections are cut or go silent, a clock jumps. Each fault heals before the next one of its kind begins; faults of
 * different kinds overlap.
 */
import type { Cluster, ClusterNode } from "./cluster.ts"
import type { Random } from "./random.ts"
import { sleep } from "./waiting.ts"

const HOUR_MS = 3_600_000

export type FaultKind = "kill" | "pause" | "database" | "cut" | "silence" | "clock"

export type Scope = {
  readonly cluster: Cluster
  readonly node: ClusterNode
  readonly random: Random
  readonly leaseMs: number
}

const FAULTS: Readonly<Record<FaultKind, (scope: Scope) => Promise<void>>> = {
  kill: ({ node }) => node.restart(),
  pause: async ({ node, random, leaseMs }) => {
    const { pid } = node
    signal(pid, "SIGSTOP")
    await sleep(random.int(leaseMs / 5, leaseMs * 1.5))
    signal(pid, "SIGCONT")
  },
  database: ({ cluster }) => cluster.restartDatabase(),
  cut: async ({ node, random }) => {
    random.pick([node.front, node.back]).cut()
  },
  silence: async ({ node, random, leaseMs }) => {
    const wire = random.pick([node.front, node.back])
    wire.silence(true)
    await sleep(random.int(leaseMs / 5, leaseMs * 1.5))
    wire.silence(false)
  },
  clock: async ({ node, random }) => {
    await node.setClock(random.pick([-HOUR_MS, -60_000, -5_000, 0, 5_000, 60_000, HOUR_MS]))
  },
}

/** Ten faults in random order, then again, so that every kind occurs. */
const DECK: readonly FaultKind[] = [
  "kill",
  "kill",
  "pause",
  "pause",
  "cut",
  "cut",
  "silence",
  "clock",
  "clock",
  "database",
]

export class Nemesis {
  readonly struck: Record<FaultKind, number> = { kill: 0, pause: 0, database: 0, cut: 0, silence: 0, clock: 0 }
  readonly #scope: Omit<Scope, "node">
  #left: FaultKind[] = []
  /** The current fault of each node and of the database: one at a time for each. */
  readonly #busy = new Map<ClusterNode | "database", Promise<void>>()

  constructor(scope: Omit<Scope, "node">) {
    this.#scope = scope
  }

  /** Begins the next fault on a target without one. */
  async strike(): Promise<void> {
    const { cluster, random } = this.#scope
    const kind = this.#deal()
    const node = random.pick(cluster.nodes)
    const place = kind === "database" ? "database" : node
    await this.#busy.get(place)
    this.struck[kind] += 1
    this.#busy.set(place, FAULTS[kind]({ ...this.#scope, node }))
  }

  #deal(): FaultKind {
    if (this.#left.length === 0) this.#left = [...DECK]
    const [kind = "cut"] = this.#left.splice(this.#scope.random.int(0, this.#left.length - 1), 1)
    return kind
  }

  /** Waits until every fault is over, and sets the clocks right. */
  async heal(): Promise<void> {
    await Promise.all(this.#busy.values())
    for (const node of this.#scope.cluster.nodes) await node.setClock(0)
  }
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name)
  } catch {
    // It was killed in the meantime.
  }
}
