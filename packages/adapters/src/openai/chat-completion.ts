/** Maps turn events to chat completions, as chunks and as one response. */
import { addUsage, emptyUsage, type TurnEvent, type Usage } from "@parlor/protocol"
import { RetriedText } from "../retried-text.ts"
import { AfterAsk } from "./after-ask.ts"
import { questionText } from "./question.ts"

export type ChatChunk = {
  readonly id: string
  readonly object: "chat.completion.chunk"
  readonly created: number
  readonly model: string
  readonly choices: readonly {
    readonly index: 0
    readonly delta: { readonly role?: "assistant"; readonly content?: string; readonly reasoning_content?: string }
    readonly finish_reason: "stop" | null
  }[]
  readonly usage?: ChatUsage | null
}

type ChatUsage = {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number }
  readonly completion_tokens_details: { readonly reasoning_tokens: number }
}

export type ChatOptions = {
  readonly id: string
  readonly model: string
  /** In seconds. */
  readonly created: number
  /** Begins after this answered ask. */
  readonly afterAsk?: string | undefined
  /** Whether the stream ends with the usage; if so, `usage` is null in every other chunk. */
  readonly includeUsage?: boolean | undefined
}

/** The steps of a turn become paragraphs of one reply. Tools run on the server and are not shown. */
export class ChatCompletion {
  readonly #options: ChatOptions
  readonly #retried = new RetriedText()
  readonly #afterAsk: AfterAsk
  #hasBegun = false
  #isRetrying = false
  #needsBreak = false
  #content = ""
  #guestsNext: readonly string[] = []
  #usage: Usage = emptyUsage
  #ended = false
  #error: string | undefined

  constructor(options: ChatOptions) {
    this.#options = options
    this.#afterAsk = new AfterAsk(options.afterAsk)
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Why the turn failed. */
  get error(): string | undefined {
    return this.#error
  }

  /** The text so far. */
  get text(): string {
    return this.#content
  }

  read(event: TurnEvent): readonly ChatChunk[] {
    if (this.#ended) return []
    if (event.type === "turn-started") this.#guestsNext = event.guestsNext
    return this.#afterAsk.skips(event) ? [] : this.#map(event)
  }

  /** The whole reply, once it has ended. */
  whole() {
    const { id, model, created } = this.#options
    const message = { role: "assistant", content: this.#content, refusal: null } as const
    const choice = { index: 0, message, finish_reason: "stop", logprobs: null } as const
    return { id, object: "chat.completion", created, model, choices: [choice], usage: chatUsage(this.#usage) } as const
  }

  #map(event: TurnEvent): readonly ChatChunk[] {
    switch (event.type) {
      case "step-started":
        if (!this.#isRetrying) this.#retried.startStep()
        return []
      case "step-ended":
        if (event.usage !== null) this.#usage = addUsage(this.#usage, event.usage)
        return []
      case "attempt-reset":
        this.#isRetrying = true
        this.#retried.reset()
        return []
      case "text-started":
        if (event.kind === "reasoning") return []
        this.#needsBreak = !this.#isRetrying && this.#content !== "" && !this.#content.endsWith("\n")
        this.#isRetrying = false
        return []
      case "text-delta":
        return event.kind === "reasoning"
          ? [this.#chunk({ reasoning_content: event.text })]
          : this.#text(this.#retried.next(event.text))
      case "ask-opened":
        return this.#question(questionText(event.ask))
      case "ask-closed": {
        const next = this.#afterAsk.stillOpen
        return next === undefined ? [] : this.#question(questionText(next))
      }
      case "turn-ended":
        return this.#end(event)
      default:
        return []
    }
  }

  #text(text: string): readonly ChatChunk[] {
    if (text === "") return []
    const content = this.#needsBreak ? `\n\n${text}` : text
    this.#needsBreak = false
    this.#content += content
    return [this.#chunk({ content })]
  }

  /** The client answers with its next request, so the reply ends here. */
  #question(text: string): readonly ChatChunk[] {
    this.#needsBreak = this.#content !== ""
    this.#ended = true
    return [...this.#text(text), ...this.#last()]
  }

  #end({ state, error }: Extract<TurnEvent, { type: "turn-ended" }>): readonly ChatChunk[] {
    if (state === "done" && this.#guestsNext.length > 0) return []
    this.#ended = true
    if (state !== "failed" && state !== "interrupted") return this.#last()
    this.#error = error?.detail ?? "The turn was interrupted."
    return []
  }

  #last(): readonly ChatChunk[] {
    const stop = this.#chunk({}, "stop")
    return this.#options.includeUsage ? [stop, { ...stop, choices: [], usage: chatUsage(this.#usage) }] : [stop]
  }

  #chunk(delta: ChatChunk["choices"][number]["delta"], reason: "stop" | null = null): ChatChunk {
    const { id, model, created, includeUsage } = this.#options
    const whole = this.#hasBegun ? delta : { role: "assistant" as const, ...delta }
    this.#hasBegun = true
    const choices = [{ index: 0, delta: whole, finish_reason: reason }] as const
    const chunk = { id, object: "chat.completion.chunk", created, model, choices } as const
    return includeUsage ? { ...chunk, usage: null } : chunk
  }
}

function chatUsage({ inputTokens, outputTokens, cachedTokens, reasoningTokens }: Usage): ChatUsage {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }
}
