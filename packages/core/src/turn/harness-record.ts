/**
 * Writes down what a hosted agent does while it does it (HST-1, HST-3).
 *
 *   event ──▶ waiting events ──one after another──▶ reply ──▶ deltas, or the full row when a call changed
 *                                    └── text after finished calls ──▶ the message is sealed, and a new one begins
 *
 * Events arrive faster than they are written. Those that arrive during a write are applied together afterwards, so a
 * call that reports its progress a hundred times costs a few writes.
 */
import { addUsage, emptyUsage, type NewChange, type ToolPart } from "@parlor/protocol"
import { replyAfter } from "../model-call/begin-reply.ts"
import type { Reply } from "../model-call/reply.ts"
import type { HarnessCall, HarnessCommand, HarnessEvent, HarnessPlanEntry, HarnessUsage } from "../ports/harness.ts"
import { boundedInput, foreignCall, shownOutput } from "./foreign-call.ts"
import { ForeignRecord, hasCalls } from "./foreign-record.ts"
import { TurnProblem } from "./problem.ts"
import { type Run, remember, turnChange } from "./run.ts"

const MAX_CALLS = 2_000
const MAX_WAITING = 20_000
const PLAN = "plan"

export type RecordHooks = {
  /** The commands the agent offers. */
  readonly onCommands: (commands: readonly HarnessCommand[]) => Promise<void>
  /** A call of the agent has ended, and no other one is running. */
  readonly onCallsDone: () => Promise<void>
}

type Known = { readonly id: string; readonly reply: Reply; call: HarnessCall }

export class HarnessRecord {
  readonly #run: Run
  readonly #hooks: RecordHooks
  readonly #calls = new Map<string, Known>()
  readonly #foreign: ForeignRecord
  readonly #asks = new Map<string, number>()
  #waiting: HarnessEvent[] = []
  #pumping: Promise<void> | undefined
  #isDirty = false
  #isOpen = true
  /** Everything the agent said in this prompt. */
  said = ""
  usage: HarnessUsage | undefined
  model: string | undefined

  constructor(run: Run, hooks: RecordHooks) {
    this.#run = run
    this.#hooks = hooks
    this.#foreign = new ForeignRecord(run, (most) => tooMuch(`said more than ${most} characters`))
  }

  /** Whether anything was recorded. */
  get hasBegun(): boolean {
    return this.#foreign.hasText || this.#calls.size > 0
  }

  get hasRunningCalls(): boolean {
    return [...this.#calls.values()].some(({ call }) => call.state === "waiting" || call.state === "started")
  }

  readonly take = (event: HarnessEvent): void => {
    if (!this.#isOpen) return
    if (this.#waiting.length >= MAX_WAITING) this.#fail(tooMuch("reports more than can be recorded"))
    const last = this.#waiting.at(-1)
    // Joined here: a slow store must not let every token wait on its own.
    if (last !== undefined && isText(event) && isText(last) && last.type === event.type)
      this.#waiting[this.#waiting.length - 1] = { type: event.type, text: last.text + event.text }
    else this.#waiting.push(event)
    this.#start()
  }

  /** The call of an ask, as it is recorded. A second ask about the same call is another one. */
  askId(call: string): string {
    const id = this.#calls.get(call)?.id ?? this.#foreign.callId(call)
    const n = (this.#asks.get(id) ?? 0) + 1
    this.#asks.set(id, n)
    return n === 1 ? id : `${id}~${n}`
  }

  /** Adds a notice to the last message. */
  note(code: string, text: string): void {
    this.#reply().notice(code, text)
  }

  /** Nothing more is written: another process has the conversation. */
  drop(): void {
    this.#isOpen = false
    this.#waiting = []
  }

  /** Nothing is taken anymore; resolves when everything is written. */
  async close(): Promise<void> {
    await this.settled()
    this.#isOpen = false
  }

  async settled(): Promise<void> {
    while (this.#pumping !== undefined) await this.#pumping
  }

  /** Seals the message, if there is one. The last one of a turn is not written here, but with what comes next. */
  async seal(state: "done" | "truncated"): Promise<readonly NewChange[]> {
    const { reply } = this.#run
    this.#run.turn = { ...this.#run.turn, steps: this.#run.turn.steps + 1 }
    if (reply === undefined) return []
    const last = await reply.seal(state)
    const row = reply.row(state)
    this.#run.reply = undefined
    if (last.length > 0) remember(this.#run, row)
    return last
  }

  #start(): void {
    if (this.#pumping !== undefined) return
    this.#pumping = this.#pump()
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#pumping = undefined
        if (this.#waiting.length > 0 && this.#isOpen) this.#start()
      })
  }

  async #pump(): Promise<void> {
    // The events of one chunk arrive together.
    await Promise.resolve()
    while (this.#waiting.length > 0 && this.#isOpen) {
      const events = this.#waiting
      this.#waiting = []
      for (const event of events) await this.#apply(event)
      await this.#save()
    }
  }

  async #apply(event: HarnessEvent): Promise<void> {
    this.#run.parts.abort.signal.throwIfAborted()
    switch (event.type) {
      case "text":
      case "reasoning":
        return this.#say(event)
      case "call":
        return this.#call(event)
      case "plan":
        return this.#plan(event.entries)
      case "commands":
        return this.#hooks.onCommands(event.commands)
      case "usage":
        this.usage = event.usage
        return
      case "model":
        this.model = event.model
        return
      case "notice":
        this.#reply().notice(event.code, event.text)
        this.#isDirty = true
    }
  }

  async #say(event: Extract<HarnessEvent, { type: "text" | "reasoning" }>): Promise<void> {
    if (event.text === "") return
    this.#foreign.count(event.text.length)
    // The row with a call is written before the text that follows it.
    await this.#save()
    if (hasCalls(this.#run.reply) && !this.hasRunningCalls) await this.#next()
    if (event.type === "text") this.said += event.text
    this.#reply().text(event.type, event.text)
  }

  async #call(event: HarnessCall): Promise<void> {
    const known = this.#calls.get(event.call) ?? this.#begin(event)
    // Its message is complete: what comes later no longer belongs to it.
    if (known.reply !== this.#run.reply) return
    const wasRunning = isRunning(known.call)
    known.call = { ...known.call, ...event }
    const isOver = !isRunning(known.call)
    known.reply.endText()
    known.reply.tool(await this.#part(known))
    this.#isDirty = true
    if (!isOver || !wasRunning) return
    await this.#save()
    if (!this.hasRunningCalls) await this.#hooks.onCallsDone()
  }

  #begin(event: HarnessCall): Known {
    if (this.#calls.size >= MAX_CALLS) throw tooMuch(`made more than ${MAX_CALLS} calls in one turn`)
    const id = this.#foreign.callId(event.call)
    const call: HarnessCall = { type: "call", call: event.call, state: "waiting" }
    const known = { id, reply: this.#reply(), call }
    this.#calls.set(event.call, known)
    return known
  }

  async #part({ id, call }: Known): Promise<ToolPart> {
    const isOver = !isRunning(call)
    const foreign = foreignCall(call)
    const base = {
      type: "tool",
      call: id,
      name: foreign.name,
      input: boundedInput(call.input),
      ...foreign.field,
    } as const
    const given = call.output ?? null
    if (!isOver) return { ...base, state: call.state ?? "waiting", output: shownOutput(given), error: null }
    const output = await this.#foreign.output(id, given)
    const error = call.state === "failed" ? { code: "tool.failed", detail: foreign.failure } : null
    return { ...base, state: call.state ?? "done", ...output, error }
  }

  /** Shown as a call of its own: a message has at most one, which changes. */
  async #plan(entries: readonly HarnessPlanEntry[]): Promise<void> {
    const reply = this.#reply()
    const known = reply.parts.find((part): part is ToolPart => part.type === "tool" && part.foreign?.kind === PLAN)
    const id = known?.call ?? this.#foreign.callId(PLAN)
    reply.endText()
    reply.tool({
      type: "tool",
      call: id,
      name: PLAN,
      input: {},
      state: "done",
      output: entries.slice(0, MAX_PLAN).map(({ text, state }) => ({ text: text.slice(0, MAX_PLAN_CHARS), state })),
      error: null,
      foreign: { title: "Plan", kind: PLAN, locations: [], diffs: [] },
    })
    this.#isDirty = true
  }

  #reply(): Reply {
    const { node, parts, turn, history } = this.#run
    this.#run.reply ??= replyAfter(node, { ...parts, turn }, history.at(-1)?.ord ?? 0, this.model ?? null)
    return this.#run.reply
  }

  /** A step is saved before the next begins (TRN-6). */
  async #next(): Promise<void> {
    const last = await this.seal("done")
    await this.#run.parts.write([...last, turnChange(this.#run)])
  }

  async #save(): Promise<void> {
    if (!this.#isDirty) return
    this.#isDirty = false
    await this.#run.reply?.save()
  }

  #fail(error: unknown): void {
    this.#isOpen = false
    const { abort } = this.#run.parts
    if (!abort.signal.aborted) abort.abort(error)
  }
}

const MAX_PLAN = 100
const MAX_PLAN_CHARS = 500

/** The usage of the prompt goes to its last message and to the turn. */
export function countUsage(run: Run, usage: HarnessUsage | undefined): void {
  if (usage === undefined) return
  const counted = { ...emptyUsage, ...usage }
  if (run.reply !== undefined) run.reply.usage = counted
  run.turn = { ...run.turn, usage: addUsage(run.turn.usage, counted) }
}

function isRunning({ state }: HarnessCall): boolean {
  return state === undefined || state === "waiting" || state === "started"
}

function isText(event: HarnessEvent): event is Extract<HarnessEvent, { type: "text" | "reasoning" }> {
  return event.type === "text" || event.type === "reasoning"
}

function tooMuch(what: string): TurnProblem {
  return new TurnProblem("harness.too-much", `The agent ${what} and was stopped.`)
}
