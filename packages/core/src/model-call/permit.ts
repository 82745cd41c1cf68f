/**
 * The only way to call a model. Every call waits here for its turn (SEC-21) and is metered here (SEC-20): nothing else
 * in core calls `Model.run`. Calls that an agent's own code makes are only metered.
 *
 * A call that is aborted before its provider reports its usage is counted by an estimate, so that stopping a reply just
 * before its end does not make it free.
 */
import type { Millis, ProblemNote, UsageSource } from "@parlor/protocol"
import type { Model, ModelEvent, ModelMessage, ModelRequest } from "../ports/model.ts"
import type { Spending } from "../ports/usage.ts"
import { dayOf } from "../usage/day.ts"
import type { CallKind } from "../usage/gate.ts"
import type { Meter } from "../usage/meter.ts"
import { usageOf } from "../usage/usage-of.ts"
import type { ModelAccess } from "./model-access.ts"
import { orAborted } from "./or-aborted.ts"

/** A call that would start later than this is rejected. */
const MAX_WAIT_MS = 10 * 60_000
/** A shorter wait is not worth two writes. */
const SHOWN_WAIT_MS = 500
const CHARS_PER_TOKEN = 4
/** A call cannot use more than a few windows, whatever its provider reports: a larger count would lock a person out. */
const MAX_WINDOWS = 4
const MAX_COST_MICROS = 1_000_000_000_000

/** The person a call is made for. */
export type Spender = {
  readonly person: string
  readonly agent: string
  readonly source: UsageSource
  readonly kind: CallKind
  readonly meter: Meter
  /** Shows the person that the call waits, and why. */
  readonly showWaiting: (until: Millis, note: ProblemNote) => Promise<void>
  readonly showRunning: () => Promise<void>
}

type Listening = { readonly signal: AbortSignal; readonly onEvent: (event: ModelEvent) => void }

export class TooManyCalls extends Error {
  readonly code = "rate.exceeded"

  constructor(perMinute: number) {
    super(`Too many model calls are waiting. At most ${perMinute} may start per minute. Try again later.`)
    this.name = "TooManyCalls"
  }
}

/** Resolves when a call may start. */
export async function admit(node: ModelAccess, spender: Spender, signal: AbortSignal): Promise<Permit> {
  const { person, kind } = spender
  const { rates, unhurried } = node.settings.usage
  const waiting = kind === "attended" && unhurried.includes(person) ? undefined : node.gate.enter(person, kind)
  if (waiting === undefined) return new Permit(node, spender)
  try {
    const { perMinute } = kind === "attended" ? rates.all : rates.unattended
    if (waiting.until - node.clock.now() > MAX_WAIT_MS) throw new TooManyCalls(perMinute)
    await waitFor(
      node,
      spender,
      waiting,
      signal,
      `At most ${perMinute} model calls per minute may start for one person.`,
    )
  } catch (error) {
    waiting.leave()
    throw error
  }
  return new Permit(node, spender)
}

async function waitFor(
  node: ModelAccess,
  spender: Spender,
  waiting: { readonly until: Millis; readonly begun: Promise<void> },
  signal: AbortSignal,
  detail: string,
): Promise<void> {
  const isShown = waiting.until - node.clock.now() >= SHOWN_WAIT_MS
  if (isShown) await spender.showWaiting(waiting.until, { code: "rate.exceeded", detail })
  await orAborted(signal, waiting.begun)
  if (isShown) await spender.showRunning()
}

export class Permit {
  readonly #node: ModelAccess
  readonly #spender: Spender

  constructor(node: ModelAccess, spender: Spender) {
    this.#node = node
    this.#spender = spender
  }

  /** Like `Model.run`, but does not wait for a model that ignores the signal (TRN-4). */
  async run(model: Model, request: ModelRequest, { signal, onEvent }: Listening): Promise<void> {
    let reported: Pick<Spending, "inputTokens" | "outputTokens" | "costMicros"> | undefined
    let said = 0
    const heard = (event: ModelEvent): void => {
      if (event.type === "finish") reported = usageOf(model, event.usage)
      else if (event.type !== "block") said += event.type === "tool" ? event.input.length : event.text.length
      onEvent(event)
    }
    try {
      await orAborted(signal, model.run(request, { signal, onEvent: heard }))
    } finally {
      const used = reported ?? (signal.aborted ? estimate(model, request, said) : NOTHING)
      meterCall(this.#node, this.#spender, model, used)
    }
  }
}

/** Adds a call to the ledger; also one that an agent's own code made and reported (COD-1). */
export function meterCall(
  node: ModelAccess,
  { person, agent, source, meter }: Spender,
  model: Pick<Model, "name" | "window">,
  used: Pick<Spending, "inputTokens" | "outputTokens" | "costMicros">,
): void {
  const line: Spending = {
    person,
    day: dayOf(node.clock.now()),
    source,
    agent,
    model: model.name,
    calls: 1,
    inputTokens: bounded(used.inputTokens, model.window * MAX_WINDOWS),
    outputTokens: bounded(used.outputTokens, model.window * MAX_WINDOWS),
    costMicros: bounded(used.costMicros, MAX_COST_MICROS),
  }
  meter.add(line)
  node.dayTotals.add(line)
}

const NOTHING = { inputTokens: 0, outputTokens: 0, costMicros: 0 }

function estimate(model: Model, request: ModelRequest, said: number) {
  const sent = request.messages.reduce((sum, message) => sum + charsOf(message), request.instructions.length)
  return usageOf(model, {
    inputTokens: Math.ceil(sent / CHARS_PER_TOKEN),
    outputTokens: Math.ceil(said / CHARS_PER_TOKEN),
    reasoningTokens: 0,
    cachedTokens: 0,
  })
}

/** Tool inputs and outputs are left out: they would have to be serialized to be measured. */
function charsOf(message: ModelMessage): number {
  if (message.role === "person") return message.text.length
  if (message.role === "tools") return 0
  return message.parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0)
}

function bounded(count: number, most: number): number {
  return Math.min(Math.round(count), most)
}
