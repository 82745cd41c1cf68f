/** Nodes on one store in memory, by a fake clock: started, drained and closed one by one. */
import { type Agent, createRuntime, type Runtime, type Settings, silentLog, type Tool } from "@parlor/core"
import {
  countingIds,
  FakeClock,
  MemorySpool,
  MemoryStore,
  type Script,
  type ScriptedModel,
  scriptedModel,
} from "@parlor/core/testing"
import { changeOf, emptyRows, fold, type MessageRow, type Rows, type SendMode, type Sent } from "@parlor/protocol"
import { address, txid } from "./stage.ts"

/** Far shorter than a lease: whoever takes over within it did not wait for one to expire. */
const AT_ONCE_MS = 500
const LEASE_MS = 10_000

export type DrainNode = {
  readonly runtime: Runtime
  readonly model: ScriptedModel
  send(text: string, mode?: SendMode): Promise<Sent>
}

export type NodeOptions = {
  readonly tools?: readonly Tool[]
  readonly agent?: Partial<Agent>
  readonly settings?: Partial<Settings>
}

export class DrainStage {
  readonly clock = new FakeClock()
  readonly #store = new MemoryStore(this.clock)
  readonly #ids = countingIds()
  #any: DrainNode | undefined

  async open(scripts: readonly Script[], { tools = [], agent, settings }: NodeOptions = {}): Promise<DrainNode> {
    const model = scriptedModel(scripts)
    const host = {
      name: "crab",
      description: "",
      instructions: "Be a crab.",
      model,
      tools,
      slashCommands: [],
      ...agent,
    }
    const runtime = createRuntime({
      store: this.#store.node(),
      spool: new MemorySpool(),
      clock: this.clock,
      ids: this.#ids,
      random: { next: () => 0.5 },
      log: silentLog,
      agents: [host],
      // Found by being told, not by looking.
      settings: { leaseMs: LEASE_MS, sweepMs: LEASE_MS * 10, ...settings },
    })
    await runtime.start()
    const node: DrainNode = {
      runtime,
      model,
      send: (text, mode = "immediate") =>
        runtime.send(address, { type: "composer_input", payload: { source: text }, mode, source: "person", txid }),
    }
    this.#any ??= node
    return node
  }

  async rows(): Promise<Rows> {
    const stream = await this.#anyNode.runtime.conversation(address)
    const page = await this.#store.log.events(stream.id, 0, { count: 1_000_000, bytes: Number.MAX_SAFE_INTEGER })
    const events = (page?.changes ?? []).map(changeOf)
    return fold(emptyRows(), events)
  }

  /** Moves the clock by a little, again and again, until it is so. */
  async until(wanted: (rows: Rows) => boolean, withinMs = AT_ONCE_MS): Promise<Rows> {
    for (let passed = 0; passed <= withinMs; passed += 10) {
      const rows = await this.rows()
      if (wanted(rows)) return rows
      await this.clock.advance(10)
    }
    throw new Error(`not within ${withinMs} ms: ${(await this.transcript()).join(" | ")}`)
  }

  idle(withinMs?: number): Promise<Rows> {
    return this.until(({ status, queue }) => status.get("status")?.turn === null && queue.size === 0, withinMs)
  }

  async transcript(): Promise<string[]> {
    return [...(await this.rows()).messages.values()].sort((a, b) => a.ord - b.ord).map(line)
  }

  get #anyNode(): DrainNode {
    if (this.#any === undefined) throw new Error("no node was opened")
    return this.#any
  }
}

/** Whether it has resolved by now. */
export function watched(promise: Promise<unknown>): { readonly isOver: boolean } {
  const state = { isOver: false }
  void promise.then(() => {
    state.isOver = true
  })
  return state
}

function line(message: MessageRow): string {
  const said = message.parts.map((part) => {
    if (part.type === "text") return part.text
    return part.type === "tool" ? `[${part.name} ${part.state}]` : `[${part.type}]`
  })
  return `${message.role}${message.state === "done" ? "" : ` (${message.state})`}: ${said.join("")}`
}
