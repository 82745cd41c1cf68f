import type {
  AnswerOf,
  AskRow,
  BodyInputOf,
  Marks,
  MessagePage,
  Method,
  QueueRow,
  SendBody,
  Sent,
  Snapshot,
} from "@parlor/protocol"
import { Archives } from "./archives.ts"
import { Attachments } from "./attachments.ts"
import { Branches } from "./branches.ts"
import { linesOf } from "./bytes.ts"
import type { Answer, Edit, LeaseOptions, SendOptions, Stop } from "./commands.ts"
import { Files } from "./files.ts"
import { Following, type FollowOptions, readStream } from "./follow.ts"
import type { Http, RequestOptions } from "./http.ts"
import { Inspector } from "./inspector.ts"
import { makeKey } from "./key.ts"
import { EditLease } from "./lease.ts"
import { LiveConversation, type LiveOptions } from "./live/conversation.ts"
import { type Repeating, repeat } from "./repeat.ts"
import { Rollbacks } from "./rollbacks.ts"
import { withOptions } from "./with-options.ts"

/** One conversation of the caller, addressed by agent and branch (ADR-1). Holds no state and no connection. */
export class Conversation {
  readonly agent: string
  readonly branch: string
  /** Its older chapters. */
  readonly archives: Archives
  /** What its person attaches to messages. */
  readonly attachments: Attachments
  /** The files its agent and its person work on. */
  readonly files: Files
  readonly branches: Branches
  readonly rollbacks: Rollbacks
  /** Its turns, step by step. */
  readonly inspect: Inspector
  readonly #http: Http
  readonly #path: string

  constructor(http: Http, agent: string, branch: string) {
    this.agent = agent
    this.branch = branch
    this.#http = http
    this.#path = `/v1/conversations/${encodeURIComponent(agent)}/${encodeURIComponent(branch)}`
    this.archives = new Archives((...act) => this.#do(...act))
    this.branches = new Branches((...act) => this.#do(...act))
    this.rollbacks = new Rollbacks((...act) => this.#do(...act))
    this.inspect = new Inspector((...act) => this.#do(...act))
    this.attachments = new Attachments(http)
    this.files = new Files((...act) => this.#do(...act), http, this.#path)
  }

  open(options: { readonly messages?: number; readonly signal?: AbortSignal } = {}): Promise<Snapshot> {
    return this.#http.ask("GET", this.#path, { query: { messages: options.messages }, ...signalOf(options) })
  }

  /** Sends once, however often it has to be tried: every try carries the same key. */
  send(message: string | SendBody, options: SendOptions = {}): Promise<Sent> {
    const body = withOptions(typeof message === "string" ? { text: message } : message, options)
    const headers = { "idempotency-key": options.key ?? makeKey() }
    const request = { body, headers, ...signalOf(options) }
    return this.#do("on-fault", "POST", "/messages", request, options.attempts)
  }

  /** Stops the running turn, or the one named and no later one (TRN-4). What it said so far stays. */
  stop(body: Stop = {}): Promise<AnswerOf<"stop">> {
    return this.#do("if-undone", "POST", "/stop", { body })
  }

  /** Edits, moves, pauses or releases a waiting message, if it is still as it was seen (QUE-7). */
  async edit(message: string, change: Edit): Promise<QueueRow> {
    const path = queued(message)
    return (await this.#do<AnswerOf<"editQueued">>("if-undone", "PATCH", path, { body: change })).message
  }

  /** Takes a waiting message off the queue: it never runs (QUE-9). */
  async remove(message: string): Promise<void> {
    await this.#do("if-undone", "DELETE", queued(message))
  }

  clearQueue(): Promise<AnswerOf<"clearQueue">> {
    return this.#do("if-undone", "DELETE", "/queue")
  }

  /** Stops what runs and starts this message; the others go on after it (QUE-10). */
  sendNow(message: string): Promise<Sent> {
    return this.#do("if-undone", "POST", `${queued(message)}/send-now`)
  }

  /** Holds a waiting message open for editing until the handle is released (QUE-8). */
  async lease(message: string, options: LeaseOptions = {}): Promise<EditLease> {
    const holder = options.holder ?? makeKey()
    const path = `${queued(message)}/lease`
    const renew = async () =>
      (await this.#do<AnswerOf<"leaseQueued">>("on-fault", "PUT", path, { body: { holder } })).message
    return new EditLease({
      row: await renew(),
      holder,
      everyMs: this.#http.timing.leaseRenewMs,
      signal: options.signal,
      renew,
      release: () => this.#do("on-fault", "DELETE", path),
      save: (edit) => this.edit(message, edit),
    })
  }

  /** Nothing starts by itself until `resume` (QUE-5). */
  hold(): Promise<AnswerOf<"holdQueue">> {
    return this.#do("on-fault", "POST", "/queue/hold")
  }

  resume(): Promise<AnswerOf<"resumeQueue">> {
    return this.#do("on-fault", "POST", "/queue/resume")
  }

  /** Refused with `ask.closed` when another answer came first (TRN-12). */
  async answer(ask: string, answer: Answer): Promise<AskRow> {
    const path = `/asks/${encodeURIComponent(ask)}/answer`
    return (await this.#do<AnswerOf<"answerAsk">>("if-undone", "POST", path, { body: { answer } })).ask
  }

  /** Sums up what was said, for the model only; the last turns stay as they are (CPT-3). */
  compact(options: BodyInputOf<"compact"> = {}): Promise<AnswerOf<"compact">> {
    return this.#do("if-undone", "POST", "/compact", { body: options })
  }

  mark(marks: Marks): Promise<AnswerOf<"markConversation">> {
    return this.#http.ask("PATCH", this.#path, { body: marks })
  }

  /** Makes an empty conversation of this name, or finds the one that is there. */
  make(): Promise<AnswerOf<"makeConversation">> {
    return this.#http.ask("PUT", this.#path)
  }

  /** With all that is in it. Those that hang on it are deleted too, and have to be named (BRA-6). */
  async delete(options: { readonly branches?: readonly string[] } = {}): Promise<void> {
    const branches = options.branches?.map(encodeURIComponent).join(",")
    await this.#http.ask("DELETE", this.#path, { query: { branches } })
  }

  /** Older messages, newest first. */
  messages(page: { readonly before?: string; readonly limit?: number } = {}): Promise<MessagePage> {
    return this.#http.ask("GET", `${this.#path}/messages`, { query: page })
  }

  /** The log from `offset` on, for as long as `signal` is not aborted. Resumes by itself after any break. */
  follow(options: FollowOptions = {}): Following {
    return new Following(readStream(this.#http, { path: `${this.#path}/events` }, options), options.offset ?? "-1")
  }

  /** The whole output of a tool call of which a message shows the beginning. */
  async output(message: string, call: string): Promise<string> {
    const path = `/messages/${encodeURIComponent(message)}/outputs/${encodeURIComponent(call)}`
    return (await this.#http.open("GET", this.#path + path)).text()
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

  #do<T>(
    repeating: Repeating,
    method: Method,
    path: string,
    request: RequestOptions = {},
    attempts?: number,
  ): Promise<T> {
    // What changes something has a key, and is tried again by `ask` itself.
    if (method !== "GET") return this.#http.ask<T>(method, this.#path + path, { ...request, attempts })
    const options = { repeating, signal: request.signal, attempts }
    return repeat(this.#http.timing, options, () => this.#http.ask<T>(method, this.#path + path, request))
  }
}

function queued(message: string): string {
  return `/queue/${encodeURIComponent(message)}`
}

function signalOf(options: { readonly signal?: AbortSignal }): { readonly signal?: AbortSignal } {
  return options.signal ? { signal: options.signal } : {}
}
