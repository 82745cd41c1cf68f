/**
 * Two nodes on one store in memory, agents with small windows that differ, and a model that answers at random: in pieces,
 * with tools, with faults. Only the given clock moves anything, so a seed gives the same run every time.
 */
import {
  type Agent,
  createRuntime,
  defineTool,
  type Handler,
  type HandlerContext,
  type Model,
  type ModelEvent,
  ModelFault,
  type ModelRequest,
  type Runtime,
  SUMMARY_INSTRUCTIONS,
  silentLog,
} from "@parlor/core"
import { countingIds, FakeClock, MemorySpool, MemoryStore } from "@parlor/core/testing"
import { type Address, type Collection, emptyUsage, parseRow, type RowOf, type StreamId } from "@parlor/protocol"
import { z } from "zod"
import { type Random, seededRandom } from "../faults/random.ts"

/** How far the clock goes at once while something is waited for, and how often. */
const MOVE_MS = 40
const MOST_MOVES = 3_000
/** As often it is let do what it can without the clock. */
const AT_ONCE = 10
const SETTINGS = { drainDelayMs: 5, retry: { tries: 3, baseMs: 20, maxMs: 60 } }

export type Place = { readonly at: Address; readonly stream: StreamId }
type Kind = "p" | "a" | "c" | "t" | "s"

export type Meeting = {
  readonly random: Random
  readonly nodes: [Runtime, Runtime]
  readonly store: MemoryStore
  readonly clock: FakeClock
  /** Every conversation there is, oldest first. */
  readonly places: Place[]
  /** Every request but those for summaries, as JSON. */
  readonly sent: ReadonlySet<string>
  /** Every request for a summary, as JSON. */
  readonly summed: readonly string[]
  /** A text nobody says twice: its kind, a number, some filling. */
  word(kind: Kind): string
  /** Turns that ran when a node was ended. */
  readonly cutOff: ReadonlySet<string>
  /** Ends a node's process and begins another. */
  restart(node: Runtime): Promise<void>
  /** Adds one that was made. */
  meet(at: Address): Promise<Place>
  rows<C extends Collection>(place: Pick<Place, "stream">, collection: C): RowOf<C>[]
  /** Lets the clock go on until it is done. */
  through<T>(work: Promise<T>): Promise<T>
  /** Lets the clock go on until nothing runs anywhere. */
  rest(): Promise<void>
  close(): Promise<void>
}

/** `asked`: told of each request as it comes, but for those for summaries. */
export async function openMeeting(
  seed: number,
  asked: (meeting: Meeting, request: ModelRequest) => void,
): Promise<Meeting> {
  const random = seededRandom(seed)
  const clock = new FakeClock()
  const store = new MemoryStore(clock)
  const said = random.fork()
  let words = 0
  const word: Meeting["word"] = (kind) => `${kind}${++words}. ${"word ".repeat(said.pick([0, 2, 10, 60, 150]))}`.trim()
  const sent = new Set<string>()
  const summed: string[] = []
  const cutOff = new Set<string>()
  const told = (request: ModelRequest) => {
    sent.add(JSON.stringify(request))
    asked(meeting, request)
  }
  const agents = agentsOf({ random: random.fork(), clock, word, told, summed })
  const ids = countingIds()
  const open = () =>
    createRuntime({
      ...{ store: store.node(), spool: new MemorySpool(), clock, ids, agents },
      ...{ random: { next: () => 0.5 }, log: silentLog, settings: SETTINGS },
    })
  const nodes: Meeting["nodes"] = [open(), open()]
  const meeting: Meeting = {
    ...{ random, nodes, store, clock, word, sent, summed, cutOff },
    places: [],
    async restart(node) {
      const next = open()
      nodes[nodes.indexOf(node)] = next
      for (const place of meeting.places) cutOff.add(meeting.rows(place, "status")[0]?.turn ?? "")
      await meeting.through(node.close())
      await meeting.through(next.start())
    },
    async meet(at) {
      const place = { at, stream: (await meeting.through(nodes[0].conversation(at))).id }
      meeting.places.push(place)
      return place
    },
    rows: (place, collection) =>
      (store.dump(place.stream)?.rows ?? []).flatMap((row) =>
        row.collection === collection ? [parseRow(collection, row.value)] : [],
      ),
    through: (work) => through(clock, work),
    rest: () => rest(meeting),
    async close() {
      await meeting.through(Promise.all(nodes.map((node) => node.close())))
    },
  }
  await meeting.through(Promise.all(nodes.map((node) => node.start())))
  for (const agent of ["crab", "hen"]) {
    const at = { agent, person: "ana", branch: "main" }
    await meeting.through(nodes[0].make(at, nodes[0].txid()))
    await meeting.meet(at)
  }
  return meeting
}

async function through<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  for (let moves = 0; !isOver && moves < MOST_MOVES; moves++) await clock.advance(moves < AT_ONCE ? 0 : MOVE_MS)
  if (!isOver) throw new Error("something never ends")
  return work
}

async function rest(meeting: Meeting): Promise<void> {
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    if (meeting.places.every((place) => isAtRest(meeting, place))) return
    await meeting.clock.advance(MOVE_MS)
  }
  const statuses = meeting.places.map((place) => meeting.rows(place, "status"))
  throw new Error(`it never comes to rest: ${JSON.stringify(statuses)}`)
}

function isAtRest({ rows }: Meeting, place: Place): boolean {
  const [status] = rows(place, "status")
  if (status === undefined) return true
  if (status.state !== "idle" && status.state !== "error") return false
  return status.held !== null || rows(place, "queue").every(({ mode }) => mode === "paused")
}

type Parts = {
  readonly random: Random
  readonly clock: FakeClock
  readonly word: Meeting["word"]
  readonly told: (request: ModelRequest) => void
  readonly summed: string[]
}

function agentsOf(parts: Parts): readonly Agent[] {
  const { random, word } = parts
  const look = defineTool({
    name: "look",
    description: "Looks.",
    input: z.object({}),
    repeatable: true,
    run: async () => word("t"),
  })
  const agent = (name: string, change: Partial<Agent> = {}): Agent => ({
    ...{ name, description: "", instructions: `Be a ${name}.`, slashCommands: [], tools: [look], workspace: true },
    ...{ model: randomModel(name, random.pick([700, 1_000, 1_600, 4_000]), parts) },
    ...change,
  })
  return [agent("crab"), agent("owl"), agent("hen", { handler: randomHandler(parts) })]
}

/** Counts tokens as it likes: one that counts many has its conversations compacted, one that counts few has them cut. */
function randomModel(name: string, window: number, { random, clock, word, told, summed }: Parts): Model {
  const charsPerToken = random.pick([1, 2, 3, 8])
  return {
    name,
    window,
    async run(request, { signal, onEvent }) {
      const isSummary = request.instructions === SUMMARY_INSTRUCTIONS
      if (isSummary) summed.push(JSON.stringify(request))
      else told(request)
      const inputTokens = Math.ceil(JSON.stringify(request).length / charsPerToken)
      const finish = { type: "finish", reason: "stop", usage: { ...emptyUsage, inputTokens, outputTokens: 9 } } as const
      const events: readonly ModelEvent[] = isSummary
        ? [{ type: "text", text: word("s") }, finish]
        : [...answer(random, word), finish]
      const fault = faultOf(random)
      const until = fault === undefined ? events.length : random.int(0, events.length - 1)
      for (const event of events.slice(0, until)) {
        await pause(clock, random.pick([0, 0, 3, 30]), signal)
        onEvent(event)
      }
      if (fault !== undefined) throw fault
    },
  }
}

function answer(random: Random, word: Meeting["word"]): ModelEvent[] {
  const texts = Array.from({ length: random.int(0, 3) }, () => ({ type: "text", text: `${word("a")} ` }) as const)
  if (texts.length > 0 && random.chance(0.5)) return texts
  const calls = Array.from({ length: random.int(1, 2) }, (_, n) => `call_${n}`)
  return [...texts, ...calls.map((call) => ({ type: "tool", call, name: "look", input: "{}" }) as const)]
}

function faultOf(random: Random): ModelFault | undefined {
  if (random.chance(0.75)) return undefined
  return new ModelFault("no", { transient: random.chance(0.6) })
}

/** Rejects when it is stopped meanwhile. */
function pause(clock: FakeClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    clock.after(ms, resolve)
  })
}

type Act = (ctx: HandlerContext) => Promise<unknown>

/** The same for a turn that is taken up again. */
function randomHandler({ random, word }: Parts): Handler {
  const insert = () => {
    const context = { type: "note", title: "Note", content: word("c") }
    return (ctx: HandlerContext) => ctx.insertContext(context)
  }
  const reply = () => {
    const text = word("a")
    return (ctx: HandlerContext) => ctx.reply(text)
  }
  const run = () => (ctx: HandlerContext) => ctx.run()
  const runOrSorry = () => {
    const text = word("a")
    return (ctx: HandlerContext) =>
      ctx.run().catch((error) => {
        if (ctx.signal.aborted) throw error
        return ctx.reply(text)
      })
  }
  const makers: readonly [() => Act, ...(() => Act)[]] = [insert, reply, run, runOrSorry, runOrSorry]
  const plans = new Map<string, readonly Act[]>()
  return async (ctx) => {
    const plan = plans.get(ctx.turn) ?? Array.from({ length: random.int(1, 4) }, () => random.pick(makers)())
    plans.set(ctx.turn, plan)
    for (const act of plan) await act(ctx)
  }
}
