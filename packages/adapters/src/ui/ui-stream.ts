/**
 * Maps turn events to the AI SDK's UI message stream: one turn is one assistant message.
 *
 *   start ─▶ start-step ─▶ text, reasoning, tools ─▶ finish-step ─▶ … ─▶ finish | abort | error
 *                            └── approval or question ─▶ finish-step ─▶ finish: the answer continues in a new stream
 *
 * A client stays in `streaming` while its stream is open and does not show questions meanwhile. So the stream ends at a
 * question, and the next request continues after it: with the tool's output first and no new step before it, because a
 * client looks for the call in the current step.
 */
import type { AskRow, MessageRow, TurnEvent } from "@parlor/protocol"
import { RetriedText } from "../retried-text.ts"
import type { UiChunk } from "./ui-chunk.ts"
import { deniedCodes, outcomeUnknown, userParts } from "./ui-parts.ts"

export type UiStreamOptions = {
  /** The major version of the client's AI SDK: 7 knows `reset-step` and `steering-message`. */
  readonly version: 6 | 7
  /** Begins after this answered ask; without it, at the beginning of the turn. */
  readonly afterAsk?: string | undefined
  /** The answer was a separate message, so what follows is another message without the calls before it. */
  readonly inNewMessage?: boolean | undefined
}

export class UiStream {
  readonly #options: UiStreamOptions
  #skipping: boolean
  #started = false
  readonly #calls = new Set<string>()
  #guestsNext: readonly string[] = []
  /** Set after `reset-step`, and when continuing: the client has the step open. */
  #stepOpen = false
  /** Version 6 cannot retract text. */
  readonly #text = new RetriedText()
  #ended = false

  constructor(options: UiStreamOptions) {
    this.#options = options
    this.#skipping = options.afterAsk !== undefined
  }

  get ended(): boolean {
    return this.#ended
  }

  read(event: TurnEvent): readonly UiChunk[] {
    if (this.#ended) return []
    return this.#skipping ? this.#skip(event) : this.#map(event)
  }

  /** The client already has everything up to its answer. */
  #skip(event: TurnEvent): readonly UiChunk[] {
    if (event.type === "turn-started") this.#guestsNext = event.guestsNext
    if (event.type !== "ask-closed" || event.ask.id !== this.#options.afterAsk) return []
    this.#skipping = false
    this.#started = true
    if (this.#options.inNewMessage) return [{ type: "start", messageId: event.ask.id }]
    this.#stepOpen = true
    return [{ type: "start", messageId: event.turn }]
  }

  #map(event: TurnEvent): readonly UiChunk[] {
    switch (event.type) {
      case "turn-started":
        return this.#start(event)
      case "step-started":
        return this.#startStep()
      case "step-ended":
        // A failed or interrupted attempt may still be retracted, so its step stays open until the next event.
        return event.state === "done" ? this.#finishStep() : []
      case "attempt-reset":
        return this.#reset()
      case "text-started":
        return [{ type: `${event.kind}-start`, id: textId(event) }]
      case "text-ended":
        return [{ type: `${event.kind}-end`, id: textId(event) }]
      case "text-delta":
        return this.#delta(event)
      case "tool-input": {
        const { call, name, input } = event
        this.#calls.add(call)
        return [{ type: "tool-input-available", toolCallId: call, toolName: name, input, ...ours }]
      }
      case "tool-output":
        return this.#options.inNewMessage && !this.#calls.has(event.call) ? [] : [toolOutput(event)]
      case "notice":
        return [{ type: "data-notice", data: { code: event.code, text: event.text } }]
      case "retrying":
        return [{ type: "data-retrying", data: { attempt: event.attempt, retryAt: event.retryAt }, transient: true }]
      case "steering-message":
        return [this.#steering(event.message)]
      case "ask-opened":
        return this.#ask(event.ask)
      case "turn-ended":
        return this.#end(event)
      case "ask-closed":
      case "tool-started":
        return []
    }
  }

  /** Guests answer in separate turns; here their answers are further steps of one message. */
  #start({ turn, guestsNext }: Extract<TurnEvent, { type: "turn-started" }>): readonly UiChunk[] {
    this.#guestsNext = guestsNext
    if (this.#started) return []
    this.#started = true
    return [{ type: "start", messageId: turn }]
  }

  #startStep(): readonly UiChunk[] {
    if (this.#stepOpen) return []
    this.#stepOpen = true
    this.#text.startStep()
    return [{ type: "start-step" }]
  }

  #finishStep(): readonly UiChunk[] {
    if (!this.#stepOpen) return []
    this.#stepOpen = false
    return [{ type: "finish-step" }]
  }

  #reset(): readonly UiChunk[] {
    if (this.#options.version >= 7) return [{ type: "reset-step" }]
    this.#text.reset()
    return []
  }

  #delta({ kind, text, ...of }: Extract<TurnEvent, { type: "text-delta" }>): readonly UiChunk[] {
    const delta = this.#options.version >= 7 || kind === "reasoning" ? text : this.#text.next(text)
    return delta === "" ? [] : [{ type: `${kind}-delta`, id: textId(of), delta }]
  }

  #steering(message: MessageRow): UiChunk {
    const parts = userParts(message)
    if (this.#options.version >= 7) return { type: "steering-message", id: message.id, parts }
    return { type: "data-steering-message", id: message.id, data: { parts } }
  }

  #ask(ask: AskRow): readonly UiChunk[] {
    this.#ended = true
    const { id, call, kind, title, detail, options, schema } = ask
    const request: UiChunk =
      kind === "approval" && call !== null
        ? { type: "tool-approval-request", approvalId: id, toolCallId: call }
        : { type: "data-ask", id, data: { kind, title, detail, options, schema } }
    return [request, { type: "finish-step" }, { type: "finish", finishReason: "tool-calls" }]
  }

  #end({ state, error, usage }: Extract<TurnEvent, { type: "turn-ended" }>): readonly UiChunk[] {
    const step = this.#finishStep()
    if (state === "done" && this.#guestsNext.length > 0) return step
    this.#ended = true
    if (state === "done") return [...step, { type: "finish", finishReason: "stop", messageMetadata: { usage } }]
    if (state === "stopped") return [...step, { type: "abort", reason: "stopped" }]
    return [...step, { type: "error", errorText: error?.detail ?? "The turn was interrupted." }]
  }
}

const ours = { dynamic: true, providerExecuted: true } as const

function textId({ message, part }: { readonly message: string; readonly part: number }): string {
  return `${message}.${part}`
}

function toolOutput(event: Extract<TurnEvent, { type: "tool-output" }>): UiChunk {
  const { call: toolCallId, state, output, error } = event
  if (state === "done") return { type: "tool-output-available", toolCallId, output, ...ours }
  if (error !== null && deniedCodes.has(error.code)) return { type: "tool-output-denied", toolCallId }
  return { type: "tool-output-error", toolCallId, errorText: error?.detail ?? outcomeUnknown, ...ours }
}
