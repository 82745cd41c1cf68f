/**
 * Maps turn events to a tool's result, and to the progress messages before it.
 *
 *   running ──ask opened──▶ asks ──ask closed──▶ running ──turn ended──▶ done | stopped | failed
 *
 * Both depend only on the events, so every caller that waits for the same reply gets the same ones. A progress value is
 * the position in the log relative to the start of the turn, so it also increases across retries of the same call.
 */
import { type AskRow, parseOffset, type TurnEvent } from "@parlor/protocol"
import type { McpReplyView } from "./mcp-tools.ts"

/** Maximum length of a reply's text in a result; the conversation has the rest. */
const MAX_TEXT = 20_000
/** Minimum distance between two progress messages about the same text: one per token would cost more than the text. */
const TEXT_STEP = 80
const TAIL = 120

export type McpProgress = { readonly progress: number; readonly message: string }

type Step = { readonly message: string; text: string }

export class McpReply {
  readonly #after: number
  #state: McpReplyView["state"] = "running"
  #error: McpReplyView["error"] = null
  #steps: Step[] = []
  #reportedAt = 0
  readonly #asks = new Map<string, AskRow>()

  /** `after`: the number of the last event before the turn. */
  constructor(after: number) {
    this.#after = after
  }

  /** Returns the progress message to send, if any. */
  read(event: TurnEvent): McpProgress | undefined {
    const message = this.#take(event)
    return message === undefined ? undefined : { progress: this.#progressOf(event), message }
  }

  /** The asks that are still open. */
  get asks(): readonly AskRow[] {
    return [...this.#asks.values()]
  }

  get result(): Pick<McpReplyView, "state" | "text" | "asks" | "error"> {
    const text = this.#steps.flatMap(({ text }) => (text === "" ? [] : [text])).join("\n\n")
    const state = this.#state === "running" && this.#asks.size > 0 ? "asks" : this.#state
    return { state, text: cutText(text), asks: this.asks.map(askView), error: this.#error }
  }

  #take(event: TurnEvent): string | undefined {
    switch (event.type) {
      case "turn-started":
        this.#state = "running"
        return `${event.guest ?? event.agent} is replying`
      case "turn-ended":
        this.#state = event.state === "done" || event.state === "stopped" ? event.state : "failed"
        this.#error = event.error === null ? null : { code: event.error.code, detail: event.error.detail }
        this.#asks.clear()
        return undefined
      case "step-started":
        this.#steps.push({ message: event.message, text: event.author === "" ? "" : `${event.author}: ` })
        this.#reportedAt = 0
        return undefined
      case "attempt-reset":
        this.#steps = this.#steps.filter(({ message }) => message !== event.message)
        return undefined
      case "text-started":
        return event.kind === "reasoning" ? "Thinking" : undefined
      case "text-delta":
        return event.kind === "text" ? this.#addText(event.text) : undefined
      case "tool-input":
        return `Calling ${event.name}`
      case "tool-output":
        return `${event.name}: ${event.state}`
      case "retrying":
        return event.error === null ? "Retrying" : `Retrying: ${event.error.detail}`
      case "notice":
        return event.text
      case "ask-opened":
        this.#asks.set(event.ask.id, event.ask)
        return `Waiting for an answer: ${event.ask.title}`
      case "ask-closed":
        this.#asks.delete(event.ask.id)
        return undefined
      case "steering-message":
        return "A message was added to the reply"
      default:
        return undefined
    }
  }

  #addText(text: string): string | undefined {
    const step = this.#steps.at(-1)
    if (step === undefined) return undefined
    // One more than is shown, so that the result can say that it was cut.
    step.text = (step.text + text).slice(0, MAX_TEXT + TAIL)
    if (this.#reportedAt > 0 && step.text.length < this.#reportedAt + TEXT_STEP) return undefined
    this.#reportedAt = step.text.length
    return step.text.slice(-TAIL).toWellFormed().replace(/\s+/g, " ").trim() || undefined
  }

  #progressOf({ offset, n }: TurnEvent): number {
    const seq = parseOffset(offset)
    return (typeof seq === "number" ? seq - this.#after : 0) + n / 1_000
  }
}

export function cutText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}… [cut]`
}

export function askView({ id, kind, title, detail, options }: AskRow): McpReplyView["asks"][number] {
  return { id, kind, title, detail, options: options === null ? null : [...options] }
}
