/**
 * For any decisions in any order, the state derived from the changes equals the state that is read back, and so do the
 * feed row and whether work is left.
 */
import { type Collection, feedKey, type NewChange, parseRow, Refusal, type StreamId } from "@parlor/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { z } from "zod"
import { defineTool } from "../agent/tool.ts"
import type { Clock } from "../ports/clock.ts"
import { silentLog } from "../ports/log.ts"
import type { Model } from "../ports/model.ts"
import type { Append, Appended, EventLog, RowChange } from "../ports/store.ts"
import { createRuntime, type Runtime } from "../runtime.ts"
import { countingIds, FakeClock, finish, MemorySpool, MemoryStore } from "../testing/index.ts"
import { apply, feedRow, hasWork } from "./apply.ts"
import { type ConversationState, stateOf, wholeStateQueries } from "./state.ts"

const address = { agent: "crab", person: "ana", branch: "main" } as const
const RUNS = 100
const THINKS_MS = 40
const DRAIN_MS = 10
/** Decisions see only the outline of such a message (QUE-17). */
const LONG = " again".repeat(400)

type Verb =
  | {
      readonly verb: "send"
      readonly mode: "immediate" | "queued" | "paused" | "steer"
      readonly asks: boolean
      readonly isLong: boolean
    }
  | { readonly verb: "lease" | "release" | "remove" | "pause" | "unpause" | "front" | "sendNow"; readonly nth: number }
  | { readonly verb: "stop"; readonly onQueue: "hold" | "drain" | "clear" }
  | { readonly verb: "hold" | "resume" | "clear" | "mark" | "compact" | "undo" | "answer" | "fork" }
  | { readonly verb: "rollBack"; readonly nth: number }
  | { readonly verb: "wait"; readonly ms: number }

const nth = fc.nat({ max: 3 })
const verbs: fc.Arbitrary<Verb> = fc.oneof(
  {
    arbitrary: fc.record({
      verb: fc.constant("send" as const),
      mode: fc.constantFrom("immediate", "queued", "paused", "steer"),
      asks: fc.boolean(),
      isLong: fc.boolean(),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({ verb: fc.constant("wait" as const), ms: fc.constantFrom(1, DRAIN_MS, THINKS_MS, 40_000) }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      verb: fc.constantFrom("lease", "release", "remove", "pause", "unpause", "front", "sendNow"),
      nth,
    }),
    weight: 5,
  },
  {
    arbitrary: fc.record({
      verb: fc.constantFrom("hold", "resume", "clear", "mark", "compact", "undo", "answer", "fork"),
    }),
    weight: 5,
  },
  fc.record({ verb: fc.constant("stop" as const), onQueue: fc.constantFrom("hold", "drain", "clear") }),
  fc.record({ verb: fc.constant("rollBack" as const), nth }),
)

const TIMEOUT_MS = 60_000

test("[LOG-16] for any decisions, what is derived from the changes is what is read back: state, feed row, work left", {
  timeout: TIMEOUT_MS,
}, async () => {
  let decisions = 0
  await fc.assert(
    fc.asyncProperty(fc.array(verbs, { minLength: 5, maxLength: 25 }), async (script) => {
      const clock = new FakeClock()
      const store = new CheckedStore(clock)
      const runtime = open(store, clock)
      await runtime.start()
      for (const act of script) {
        await carryOut(runtime, clock, act)
        await clock.advance(0)
        expect(store.defects).toEqual([])
      }
      const closed = runtime.close()
      await clock.advance(DRAIN_MS)
      await closed
      decisions += store.decisions
    }),
    { numRuns: RUNS },
  )
  expect(decisions).toBeGreaterThan(RUNS * 4)
})

/** Compares before and after every append. */
class CheckedStore extends MemoryStore {
  readonly defects: unknown[] = []
  decisions = 0
  readonly #active = new Map<StreamId, boolean>()

  constructor(clock: Clock) {
    super(clock)
    const real = this.log
    Object.assign(this, { log: { ...real, commit: (batch: readonly Append[]) => this.#commit(real, batch) } })
  }

  async #commit(real: EventLog, batch: readonly Append[]): Promise<readonly Appended[]> {
    const answers: Appended[] = []
    for (const append of batch) {
      const before = await this.#state(append.stream)
      const [answer] = await real.commit([append])
      if (answer === undefined) throw new Error("no answer")
      answers.push(answer)
      if (answer.ok && !answer.skipped && append.active !== undefined) this.#active.set(append.stream, append.active)
      if (answer.ok && before !== undefined) await this.#check(before, append)
    }
    return answers
  }

  async #check(before: ConversationState, { stream, changes }: Append): Promise<void> {
    const after = await this.#state(stream)
    if (after === undefined) return
    this.decisions += 1
    const worked = { ...apply(before, changes.map(asChange)), stream: after.stream }
    this.#expect("state", worked, after)
    this.#expect("active", this.#active.get(stream), hasWork(after))
    const feed = await this.log.find({ kind: "feed", person: after.address.person })
    const rows = feed && (await this.log.read(feed.id, [{ collection: "conversations", key: feedKey(after.address) }]))
    const row = parseRow("conversations", rows?.lists[0]?.[0]?.value ?? "{}")
    this.#expect("feed row", { ...row, news: null }, feedRow(after))
  }

  #expect(what: string, worked: unknown, read: unknown): void {
    const [a, b] = [JSON.stringify(worked), JSON.stringify(read)]
    if (a !== b) this.defects.push({ what, worked: JSON.parse(a ?? "null"), read: JSON.parse(b ?? "null") })
  }

  /** Undefined before a conversation has rows. */
  async #state(stream: StreamId): Promise<ConversationState | undefined> {
    const read = await this.log.read(stream, wholeStateQueries)
    return read === undefined || read.lists[0]?.length === 0 ? undefined : stateOf(read)
  }
}

function asChange({ collection, key, operation, value }: RowChange): NewChange {
  return { collection, key, operation, row: parseRow(collection as Collection, value) } as NewChange
}

/** A model that takes its time, and asks the person when told to. */
function slowModel(clock: FakeClock): Model {
  return {
    name: "slow",
    window: 100_000,
    async run({ messages }, { signal, onEvent }) {
      await new Promise<void>((resolve, reject) => {
        clock.after(THINKS_MS, resolve)
        signal.addEventListener("abort", () => reject(signal.reason))
      })
      const last = messages.at(-1)
      if (last?.role === "person" && last.text.includes("ask me")) {
        onEvent({ type: "tool", call: `call_${clock.now()}`, name: "ask", input: "{}" })
        onEvent(finish("tools"))
      } else {
        onEvent({ type: "text", text: "Done." })
        onEvent(finish())
      }
    },
  }
}

function open(store: MemoryStore, clock: FakeClock): Runtime {
  const ask = defineTool({
    name: "ask",
    description: "",
    input: z.object({}),
    repeatable: true,
    run: async (_, context) => (await context.ask({ kind: "question", title: "Well?", expiresInMs: 30_000 })) ?? null,
  })
  const model = slowModel(clock)
  const crab = { name: "crab", description: "", instructions: "", model, tools: [ask], slashCommands: [] }
  const parts = {
    store,
    clock,
    spool: new MemorySpool(),
    ids: countingIds(),
    random: { next: () => 0.5 },
    log: silentLog,
  }
  return createRuntime({ ...parts, agents: [crab], settings: { drainDelayMs: DRAIN_MS } })
}

/** Refusals are answers too. Commands that wait for a turn to end are given the time. */
async function carryOut(runtime: Runtime, clock: FakeClock, act: Verb): Promise<void> {
  if (act.verb === "wait") return clock.advance(act.ms)
  let isOver = false
  const carried = verb(runtime, act)
    .catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
    .finally(() => {
      isOver = true
    })
  for (let tries = 0; !isOver && tries < 200; tries++) await clock.advance(tries < 100 ? 1 : 1_000)
  if (!isOver) throw new Error(`${act.verb} is not over`)
  await carried
}

async function verb(runtime: Runtime, act: Exclude<Verb, { verb: "wait" }>): Promise<unknown> {
  const txid = runtime.txid()
  const { queue, messages, asks } = await runtime.snapshot(address, { messages: 50 })
  if (act.verb === "send") {
    const payload = { source: `${act.asks ? "ask me" : "hello"}${act.isLong ? LONG : ""}` }
    return runtime.send(address, { type: "composer_input", payload, mode: act.mode, source: "person", txid })
  }
  if (act.verb === "stop") return runtime.stop(address, { turn: undefined, onQueue: act.onQueue, txid })
  if (act.verb === "rollBack") {
    const to = messages.filter(({ role }) => role === "person")[act.nth]?.id ?? ""
    return runtime.rollBack(address, { to, scope: "conversation", edit: act.nth % 2 === 0, txid })
  }
  if ("nth" in act) {
    const { id = "", version = 1 } = queue[act.nth] ?? {}
    if (act.verb === "lease") return runtime.lease(address, id, "tab", txid)
    if (act.verb === "release") return runtime.release(address, id, txid)
    if (act.verb === "remove") return runtime.removeQueued(address, id, txid)
    if (act.verb === "pause") return runtime.edit(address, id, { mode: "paused", version }, txid)
    if (act.verb === "unpause") return runtime.edit(address, id, { mode: "immediate", text: "other", version }, txid)
    if (act.verb === "front") return runtime.edit(address, id, { before: queue[0]?.id ?? "", version }, txid)
    return runtime.sendNow(address, id, txid)
  }
  if (act.verb === "mark") return runtime.mark(address, { title: `At ${messages.length}`, read: true }, txid)
  if (act.verb === "compact") return runtime.compact(address, { keepTurns: 0, txid })
  if (act.verb === "undo") {
    const standing = (await runtime.archives(address)).archives.find(({ ended }) => ended === null)
    return runtime.undoCompaction(address, standing?.id ?? "", txid)
  }
  if (act.verb === "answer") return runtime.answer(address, asks[0]?.id ?? "", "yes", { by: "ana", txid })
  if (act.verb === "fork")
    return runtime.makeBranch(address, { from: messages[0]?.id, name: undefined, ephemeral: true, txid })
  return runtime[act.verb](address, txid)
}
