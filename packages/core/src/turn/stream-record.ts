/**
 * Writes the events of a stream into messages (COD-1).
 *
 *   text, reasoning ──▶ deltas;  call, result ──▶ saved at once;  a step begins ──▶ message done, the next one
 */
import { addUsage, emptyUsage, type MessageId, type MessageRow, type NewChange, type ToolPart } from "@parlor/protocol"
import type { Ran } from "../agent/handler.ts"
import { authorOf } from "../guest/author-of.ts"
import { meterCall } from "../model-call/permit.ts"
import { Reply } from "../model-call/reply.ts"
import { spenderOf } from "../model-call/spender.ts"
import { cleanJson, cleanText } from "../text/clean-json.ts"
import { textOf } from "../text/text-of.ts"
import { usageOf } from "../usage/usage-of.ts"
import { callsIn, ForeignRecord, hasCalls } from "./foreign-record.ts"
import { TurnProblem } from "./problem.ts"
import { type Run, remember, turnChange } from "./run.ts"
import { errorWords, type StreamEvent } from "./stream-part.ts"

/** Messages of one reply. */
export const MAX_MESSAGES = 256
const MAX_CALLS = 128
const MAX_NAME_CHARS = 200
const MAX_INPUT_CHARS = 500_000
const MAX_DETAIL_CHARS = 4_000
/** For usage that a stream reports: the window of its model is not known. */
const FOREIGN_WINDOW = 2_000_000

export class StreamRecord {
  readonly #run: Run
  readonly #base: MessageId
  readonly #foreign: ForeignRecord
  /** Calls that have no result yet: the stream's id and the recorded part. */
  readonly #open = new Map<string, ToolPart>()
  #reply: Reply | undefined
  #replaced: MessageRow | undefined
  #count: number
  #calls = 0
  #hasStepUsage = false
  #text = ""

  constructor(run: Run, base: MessageId, interrupted: readonly MessageRow[]) {
    this.#run = run
    this.#base = base
    this.#count = interrupted.length
    this.#foreign = new ForeignRecord(run, tooLong)
    const last = interrupted.at(-1)
    const isLast = last !== undefined && run.history.at(-1)?.id === last.id
    if (isLast && last.state === "truncated" && callsIn(last.parts).length === 0) this.#replaced = last
  }

  async take(event: StreamEvent): Promise<void> {
    switch (event.type) {
      case "text":
      case "reasoning":
        if (event.text === "") return
        this.#foreign.count(event.text.length)
        if (hasCalls(this.#reply) && this.#open.size === 0) await this.#endMessage()
        this.#current().text(event.type, event.text)
        return
      case "step":
        if (this.#reply?.started && this.#open.size === 0) await this.#endMessage()
        return
      case "call":
        return this.#call(event)
      case "result":
      case "failed":
        return this.#result(event)
      case "usage":
        return this.#usage(event)
      case "error":
        throw event.error instanceof Error ? event.error : new Error(errorWords(event.error))
    }
  }

  written(): Promise<void> {
    return this.#reply?.written() ?? Promise.resolve()
  }

  async end(): Promise<Ran> {
    const run = this.#run
    for (const part of this.#open.values()) this.#current().tool({ ...part, ...UNANSWERED })
    this.#open.clear()
    const reply = this.#reply
    if (reply === undefined) throw new TurnProblem("handler.failed", "The stream of the reply contained no text.")
    const last = await this.#sealed(reply)
    run.turn = { ...run.turn, streams: [...(run.turn.streams ?? []), reply.id] }
    await this.#write(reply, last)
    return { message: reply.id, text: this.#text }
  }

  /** What was said so far stays, marked: the handler may catch the error and continue. */
  async breakOff(): Promise<void> {
    const reply = this.#reply
    this.#reply = undefined
    this.#run.reply = undefined
    const last = (await reply?.seal("failed")) ?? []
    await this.#run.parts.write([...last, turnChange(this.#run)])
    if (last.length > 0 && reply !== undefined) remember(this.#run, reply.row("failed"))
  }

  #current(): Reply {
    if (this.#reply !== undefined) return this.#reply
    const { node, parts, turn, history } = this.#run
    const { write } = parts
    const common = { turn: turn.id, author: authorOf(turn), write, onFailure: (e: unknown) => parts.abort.abort(e) }
    const replaced = this.#replaced
    if (replaced !== undefined) {
      const { id, ord, at } = replaced
      this.#replaced = undefined
      history.pop()
      this.#reply = new Reply({ ...common, id, ord, at, replaces: true })
    } else {
      if (++this.#count > MAX_MESSAGES)
        throw new TurnProblem("handler.failed", `The stream of a reply has at most ${MAX_MESSAGES} steps.`)
      const ord = (history.at(-1)?.ord ?? 0) + 1
      this.#reply = new Reply({ ...common, id: messageId(this.#base, this.#count), ord, at: node.clock.now() })
    }
    this.#run.reply = this.#reply
    return this.#reply
  }

  async #endMessage(): Promise<void> {
    const reply = this.#reply
    if (reply === undefined) return
    await this.#write(reply, await this.#sealed(reply))
  }

  async #sealed(reply: Reply): Promise<readonly NewChange[]> {
    const { signal } = this.#run.parts.abort
    signal.throwIfAborted()
    const last = await reply.seal("done")
    signal.throwIfAborted()
    return last
  }

  /** The message and the turn's row, in one write. */
  async #write(reply: Reply, last: readonly NewChange[]): Promise<void> {
    const run = this.#run
    const usage = addUsage(run.turn.usage, reply.usage ?? emptyUsage)
    run.turn = { ...run.turn, steps: run.turn.steps + 1, usage }
    await run.parts.write([...last, turnChange(run)])
    const row = reply.row("done")
    remember(run, row)
    this.#text = textOf(row.parts)
    this.#reply = undefined
    this.#calls = 0
    run.reply = undefined
  }

  async #call({ call, name, input }: Extract<StreamEvent, { type: "call" }>): Promise<void> {
    const chars = JSON.stringify(input).length
    this.#foreign.count(chars)
    this.#begin(call, name, chars > MAX_INPUT_CHARS ? {} : (cleanJson(input) as ToolPart["input"]))
    await this.#current().save()
  }

  #begin(call: string, name: string, input: ToolPart["input"]): ToolPart {
    if (++this.#calls > MAX_CALLS)
      throw new TurnProblem("handler.failed", `A step of a reply has at most ${MAX_CALLS} tool calls.`)
    const id = this.#foreign.callId(call)
    const called = cleanText(name.slice(0, MAX_NAME_CHARS))
    const part: ToolPart = { type: "tool", call: id, name: called, input, state: "started", output: null, error: null }
    this.#open.set(call, part)
    this.#current().endText()
    this.#current().tool(part)
    return part
  }

  async #result(event: Extract<StreamEvent, { type: "result" | "failed" }>): Promise<void> {
    // Some frameworks report only results.
    const part = this.#open.get(event.call) ?? this.#begin(event.call, event.name, {})
    this.#open.delete(event.call)
    if (event.type === "failed") {
      const detail = cleanText(event.detail.slice(0, MAX_DETAIL_CHARS))
      this.#current().tool({ ...part, state: "failed", error: { code: "tool.failed", detail } })
    } else {
      this.#current().tool({ ...part, state: "done", ...(await this.#foreign.output(part.call, event.output)) })
    }
    await this.#current().save()
  }

  #usage({ of, counts, model: name }: Extract<StreamEvent, { type: "usage" }>): void {
    if (of === "total" && this.#hasStepUsage) return
    this.#hasStepUsage ||= of === "step"
    const { node, parts, brief, turn, message } = this.#run
    const known = [brief.speaker.model].find((one) => name !== undefined && isNamed(one.name, name))
    const used = usageOf(known ?? {}, counts)
    const spender = spenderOf(node, { owner: parts.owner, turn, agent: brief.speaker.name, message })
    meterCall(node, spender, { name: name ?? "", window: FOREIGN_WINDOW }, used)
    const reply = this.#reply
    if (reply === undefined) {
      this.#run.turn = { ...turn, usage: addUsage(turn.usage, used) }
      return
    }
    reply.usage = addUsage(reply.usage ?? emptyUsage, used)
    if (name !== undefined) reply.model = name
  }
}

function tooLong(most: number): TurnProblem {
  return new TurnProblem("handler.failed", `The reply is longer than ${most} characters and was stopped.`)
}

const UNANSWERED = {
  state: "failed",
  error: { code: "tool.unanswered", detail: "The stream ended without a result of this call." },
} as const

/** A model of Parlor is named with its provider: `openai/gpt-5`. */
function isNamed(known: string, name: string): boolean {
  return known === name || known.endsWith(`/${name}`)
}

/** The messages of one reply of a handler: `base`, `base.2`, `base.3`. */
export function messageId(base: MessageId, n: number): MessageId {
  return n === 1 ? base : (`${base}.${n}` as MessageId)
}
