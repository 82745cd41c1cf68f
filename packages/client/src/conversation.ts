import type { AnswerOf, BodyInputOf, Marks, MessagePage, SendBody, Sent, Snapshot } from "@parlor/protocol"
import { linesOf } from "./bytes.ts"
import { ParlorError } from "./error.ts"
import { Following, type FollowOptions, readStream } from "./follow.ts"
import type { Http } from "./http.ts"
import { makeKey } from "./key.ts"
import { LiveConversation, type LiveOptions } from "./live/conversation.ts"
import { backoff, pause } from "./timing.ts"

export type SendOptions = {
  /** The idempotency key: a repeat with the same one gives the first answer (QUE-11). Made when not given. */
  readonly key?: string
  readonly signal?: AbortSignal
}

/** One conversation of the caller, addressed by agent and branch (ADR-1). Holds no state and no connection. */
export class Conversation {
  readonly agent: string
  readonly branch: string
  readonly #http: Http
  readonly #path: string

  constructor(http: Http, agent: string, branch: string) {
    this.agent = agent
    this.branch = branch
    this.#http = http
    this.#path = `/v1/conversations/${encodeURIComponent(agent)}/${encodeURIComponent(branch)}`
  }

  open(options: { readonly messages?: number; readonly signal?: AbortSignal } = {}): Promise<Snapshot> {
    return this.#http.ask("GET", this.#path, { query: { messages: options.messages }, ...signalOf(options) })
  }

  /** Sends once, however often it has to be tried: every try carries the same key. */
  async send(message: string | SendBody, options: SendOptions = {}): Promise<Sent> {
    const { timing } = this.#http
    const body = typeof message === "string" ? { text: message } : message
    const headers = { "idempotency-key": options.key ?? makeKey() }
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#http.ask<Sent>("POST", `${this.#path}/messages`, { body, headers, ...signalOf(options) })
      } catch (error) {
        const canRetry = error instanceof ParlorError && error.passing && attempt < timing.sendAttempts
        if (!canRetry) throw error
        await pause(backoff(timing, attempt - 1, error.retryAfterMs), options.signal)
        options.signal?.throwIfAborted()
      }
    }
  }

  stop(body: BodyInputOf<"stop"> = {}): Promise<AnswerOf<"stop">> {
    return this.#http.ask("POST", `${this.#path}/stop`, { body })
  }

  mark(marks: Marks): Promise<AnswerOf<"markConversation">> {
    return this.#http.ask("PATCH", this.#path, { body: marks })
  }

  /** Makes an empty conversation of this name, or finds the one that is there. */
  make(): Promise<AnswerOf<"makeConversation">> {
    return this.#http.ask("PUT", this.#path)
  }

  async delete(): Promise<void> {
    await this.#http.ask("DELETE", this.#path)
  }

  /** Older messages, newest first. */
  messages(page: { readonly before?: string; readonly limit?: number } = {}): Promise<MessagePage> {
    return this.#http.ask("GET", `${this.#path}/messages`, { query: page })
  }

  /** The log from `offset` on, for as long as `signal` is not aborted. Resumes by itself after any break. */
  follow(options: FollowOptions = {}): Following {
    return new Following(readStream(this.#http, { path: `${this.#path}/events` }, options), options.offset ?? "-1")
  }

  /** The conversation as JSON Lines, one line at a time, without line ends. */
  async *export(): AsyncGenerator<string> {
    const response = await this.#http.open("GET", `${this.#path}/export`)
    yield* linesOf(response.body)
  }

  /** A store for a user interface: loaded, followed and folded. It works until closed. */
  live(options: LiveOptions = {}): LiveConversation {
    return new LiveConversation(this, this.#http, options)
  }
}

function signalOf(options: { readonly signal?: AbortSignal }): { readonly signal?: AbortSignal } {
  return options.signal ? { signal: options.signal } : {}
}
