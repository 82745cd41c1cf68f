/**
 * Maps turn events to the events of the Responses API, numbered from 0.
 *
 *   created ─▶ queued? ─▶ in_progress ─▶ items: reasoning, message, mcp_call ─▶ completed | incomplete | failed
 *
 * The events depend only on the log and the id, so every reader gets the same ones under the same numbers. A text whose
 * deltas are no longer in the log (LOG-36) is one delta, with the number of the last of them. The API has
 * no event for a canceled response: `incomplete` carries a response with the status `cancelled`.
 */
import { addUsage, emptyUsage, type TurnEvent, type Usage } from "@parlor/protocol"
import { RetriedText } from "../retried-text.ts"
import { AfterAsk } from "./after-ask.ts"
import { questionText } from "./question.ts"
import { type ResponsePlace, responseId } from "./response-id.ts"
import { type NewEvent, ResponseItems, type TextKind } from "./response-items.ts"

export type ResponseStatus = "queued" | "in_progress" | "completed" | "failed" | "cancelled"
export type ResponseEvent = { readonly type: string; readonly sequence_number: number } & Readonly<
  Record<string, unknown>
>

export class ResponseStream {
  readonly id: string
  readonly #place: ResponsePlace
  readonly #items = new ResponseItems()
  readonly #retried = new RetriedText()
  readonly #afterAsk: AfterAsk
  #status: ResponseStatus
  #number = 0
  #hasBegun = false
  #isRetrying = false
  /** Its text has ended, but its attempt may be abandoned and another one continue it. */
  #isClosing = false
  #guestsNext: readonly string[] = []
  #usage: Usage = emptyUsage
  #error: { readonly code: string; readonly message: string } | null = null

  constructor(place: ResponsePlace) {
    this.id = responseId(place)
    this.#place = place
    this.#status = place.queued ? "queued" : "in_progress"
    this.#afterAsk = new AfterAsk(place.ask)
  }

  get status(): ResponseStatus {
    return this.#status
  }

  get ended(): boolean {
    return this.#status !== "queued" && this.#status !== "in_progress"
  }

  /** How many events it has so far, including those of dropped deltas. */
  get count(): number {
    return this.#number
  }

  /** The text so far. */
  get text(): string {
    return this.#items.text
  }

  /** The events that come before any of the turn. */
  begin(): readonly ResponseEvent[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    const response = this.snapshot()
    return this.#numbered([
      { type: "response.created", response },
      { type: `response.${this.#status}`, response },
    ])
  }

  read(event: TurnEvent): readonly ResponseEvent[] {
    if (this.ended) return []
    const first = this.begin()
    const events = this.#map(event)
    const dropped = event.type === "text-delta" && events.length > 0 ? (event.deltas ?? 1) - 1 : 0
    const before = this.#numbered(events.slice(0, -1))
    this.#number += dropped
    return [...first, ...before, ...this.#numbered(events.slice(-1))]
  }

  /** The message was removed from the queue before it started. */
  cancel(): readonly ResponseEvent[] {
    if (this.ended) return []
    return [...this.begin(), ...this.#numbered(this.#end("cancelled"))]
  }

  snapshot() {
    const { agent, branch, created, background } = this.#place
    return {
      id: this.id,
      object: "response",
      created_at: created,
      status: this.#status,
      background,
      error: this.#error,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      metadata: {},
      model: agent,
      output: [...this.#items.list()],
      parallel_tool_calls: false,
      previous_response_id: null,
      conversation: { id: branch },
      store: true,
      temperature: null,
      tool_choice: "auto",
      tools: [],
      top_p: null,
      usage: this.ended ? responseUsage(this.#usage) : null,
    } as const
  }

  #map(event: TurnEvent): readonly NewEvent[] {
    if (event.type === "turn-started") this.#guestsNext = event.guestsNext
    if (this.#afterAsk.skips(event)) {
      if (event.type === "tool-input") this.#items.noteEarlier(event)
      if (event.type === "tool-output") this.#items.forgetEarlier(event.call)
      return []
    }
    if (event.type === "attempt-reset") {
      this.#isClosing = false
      this.#isRetrying = true
      this.#retried.reset()
      return []
    }
    // An attempt that failed or was interrupted may be repeated; the next event shows whether it is.
    const isPending = event.type === "text-ended" || (event.type === "step-ended" && event.state !== "done")
    return this.#isClosing && !isPending ? [...this.#close(), ...this.#event(event)] : this.#event(event)
  }

  #event(event: TurnEvent): readonly NewEvent[] {
    switch (event.type) {
      case "turn-started":
        return this.#start()
      case "step-started":
        if (!this.#isRetrying) this.#retried.startStep()
        this.#isRetrying = false
        return []
      case "step-ended":
        if (event.usage !== null) this.#usage = addUsage(this.#usage, event.usage)
        return []
      case "text-started":
        return this.#text(event.kind, event)
      case "text-delta":
        return this.#items.add(event.kind === "text" ? this.#retried.next(event.text) : event.text)
      case "text-ended":
        this.#isClosing = true
        return []
      case "tool-input":
        return this.#items.call(event)
      case "tool-output":
        return this.#items.result(event)
      case "ask-opened":
        return this.#question(event.ask)
      case "ask-closed": {
        const next = this.#afterAsk.stillOpen
        return next === undefined ? [] : this.#question(next)
      }
      case "turn-ended":
        return this.#turnEnded(event)
      default:
        return []
    }
  }

  #start(): readonly NewEvent[] {
    if (this.#status !== "queued") return []
    this.#status = "in_progress"
    return [{ type: "response.in_progress", response: this.snapshot() }]
  }

  #text(kind: TextKind, of: { readonly message: string; readonly part: number }): readonly NewEvent[] {
    return this.#items.openKind === kind ? [] : [...this.#close(), ...this.#items.open(kind, of)]
  }

  #close(): readonly NewEvent[] {
    this.#isClosing = false
    return this.#items.close()
  }

  /** The client answers with its next request, so the response ends here. */
  #question(ask: Parameters<typeof questionText>[0]): readonly NewEvent[] {
    return [
      ...this.#close(),
      ...this.#items.open("text", { message: ask.id, part: 0 }),
      ...this.#items.add(questionText(ask)),
      ...this.#close(),
      ...this.#end("completed"),
    ]
  }

  #turnEnded({ state, error }: Extract<TurnEvent, { type: "turn-ended" }>): readonly NewEvent[] {
    if (state === "done" && this.#guestsNext.length > 0) return this.#close()
    if (state === "done") return [...this.#close(), ...this.#end("completed")]
    if (state === "stopped") return [...this.#close(), ...this.#end("cancelled")]
    this.#error = { code: "server_error", message: error?.detail ?? "The turn was interrupted." }
    return [...this.#close(), ...this.#end("failed")]
  }

  #end(status: Exclude<ResponseStatus, "queued" | "in_progress">): readonly NewEvent[] {
    this.#status = status
    return [{ type: status === "cancelled" ? "response.incomplete" : `response.${status}`, response: this.snapshot() }]
  }

  #numbered(events: readonly NewEvent[]): readonly ResponseEvent[] {
    return events.map((event) => ({ ...event, sequence_number: this.#number++ }))
  }
}

function responseUsage({ inputTokens, outputTokens, cachedTokens, reasoningTokens }: Usage) {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}
