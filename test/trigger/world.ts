/** Several nodes on one store in memory and one clock: started, stopped and broken as a test wants. */
import { type Agent, type Courier, createRuntime, type Runtime, type Settings, silentLog } from "@parlor/core"
import { MemorySpool, MemoryStore, says, scriptedModel, testSeal } from "@parlor/core/testing"
import { type Collection, type MessageRow, parseRow, type QueueRow, type Trigger } from "@parlor/protocol"
import { SimClock } from "../simulation/sim-clock.ts"
import { risingIds } from "../simulation/sim-ids.ts"

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const person = "ana"

/** Nothing of its own goes off often: a year is long. */
const quiet: Partial<Settings> = {
  stallMs: 30 * DAY,
  leaseMs: 2 * DAY,
  renewMs: DAY,
  sweepMs: 6 * HOUR,
  drainDelayMs: 5,
}

export type WorldOptions = {
  readonly nodes?: number
  readonly agent?: Partial<Agent>
  readonly settings?: Partial<Settings>
  readonly courier?: Courier
}

export class World {
  readonly clock = new SimClock()
  readonly store = new MemoryStore(this.clock)
  readonly nodes: (Runtime | undefined)[]
  readonly stores: readonly MemoryStore[]
  readonly #ids = risingIds()
  readonly #options: WorldOptions

  constructor(options: WorldOptions = {}) {
    this.#options = options
    const count = options.nodes ?? 1
    this.nodes = Array.from({ length: count }, () => undefined)
    this.stores = Array.from({ length: count }, () => this.store.node())
  }

  get node(): Runtime {
    const up = this.nodes.find((node) => node !== undefined)
    if (up === undefined) throw new Error("no node is up")
    return up
  }

  async start(index: number): Promise<Runtime> {
    const model = scriptedModel([], { fallback: says("Done."), window: 2_000 })
    const agent: Agent = { name: "crab", description: "", instructions: "", model, tools: [], slashCommands: [] }
    const node = createRuntime({
      name: `node-${index}`,
      store: this.stores[index] ?? this.store,
      spool: new MemorySpool(),
      seal: testSeal,
      clock: this.clock,
      ids: this.#ids,
      random: { next: () => 0.5 },
      log: silentLog,
      agents: [{ ...agent, ...this.#options.agent }],
      settings: { ...quiet, ...this.#options.settings },
      ...(this.#options.courier === undefined ? {} : { courier: this.#options.courier }),
    })
    const started = node.start()
    await this.clock.advance(0)
    await started
    await this.clock.advance(0)
    this.nodes[index] = node
    return node
  }

  async stop(index: number): Promise<void> {
    const node = this.nodes[index]
    if (node === undefined) return
    this.nodes[index] = undefined
    const closed = node.close()
    await this.clock.advance(10)
    await closed
  }

  async close(): Promise<void> {
    for (const index of this.nodes.keys()) await this.stop(index)
  }

  /** What came of triggers in a conversation, in its order; what waits comes last. */
  async fired(branch: string): Promise<readonly Trigger[]> {
    const stream = await this.store.log.find({ kind: "conversation", agent: "crab", person, branch })
    const rows = stream === undefined ? [] : (this.store.dump(stream.id)?.rows ?? [])
    const of = <T>(collection: string) =>
      rows
        .filter((row) => row.collection === collection)
        .map((row) => parseRow(collection as Collection, row.value) as T)
    const said = of<MessageRow>("messages").sort((a, b) => a.ord - b.ord)
    return [...said, ...of<QueueRow>("queue")].flatMap(({ trigger }) => (trigger === null ? [] : [trigger]))
  }

  make(branch: string, rest: Partial<Parameters<Runtime["makeSchedule"]>[1]>) {
    const usual = { agent: "crab", branch, name: "", missed: "once", type: "composer_input" } as const
    const when = { everyMs: HOUR }
    const asked = { ...usual, when, payload: { source: "Look." }, ...rest }
    return this.node.makeSchedule(person, asked, { txid: this.node.txid() })
  }

  async conversation(branch: string): Promise<void> {
    await this.node.make({ agent: "crab", person, branch }, this.node.txid())
  }
}
