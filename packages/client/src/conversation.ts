import type {
  AnswerOf,
  AskRow,
  BodyInputOf,
  Marks,
  MessagePage,
  ModelSettings,
  QueuePage,
  QueueRow,
  SendBody,
  Sent,
  Snapshot,
} from "@parlor/protocol"
import { Archives } from "./archives.ts"
import { Attachments } from "./attachments.ts"
import { Branches } from "./branches.ts"
import { linesOf } from "./bytes.ts"
import type { Answer, AnswerOptions, Edit, LeaseOptions, SendOptions, Stop } from "./commands.ts"
import { type Do, doIn } from "./do.ts"
import { Files } from "./files.ts"
import { Following, type FollowOptions, type OpenStream, readStream } from "./follow.ts"
import type { Http } from "./http.ts"
import { Inspector } from "./inspector.ts"
import { makeKey } from "./key.ts"
import { EditLease } from "./lease.ts"
import { LiveConversation, type LiveOptions } from "./live/conversation.ts"
import type { InConversation } from "./request.ts"
import { Rollbacks } from "./rollbacks.ts"
import { withOptions } from "./with-options.ts"

/** One conversation of the caller, addressed by agent and branch (ADR-1). Has no state and no connection. */
export class Conversation {
  readonly agent: string
  readonly branch: string
  /** Its chapters. */
  readonly archives: Archives
  /** The attachments of its person. */
  readonly attachments: Attachments
  /** The files of its workspace. */
  readonly files: Files
  readonly branches: Branches
  readonly rollbacks: Rollbacks
  /** Its turns, step by step. */
  readonly inspect: Inspector
  readonly #http: Http
  readonly #params: InConversation
  readonly #do: Do

  constructor(http: Http, agent: string, branch: string) {
    this.agent = agent
    this.branch = branch
    this.#http = http
    this.#params = { agent, branch }
    this.#do = doIn(http, this.#params)
    this.archives = new Archives(this.#do)
    this.branches = new Branches(this.#do)
    this.rollbacks = new Rollbacks(this.#do)
    this.inspect = new Inspector(this.#do)
    this.attachments = new Attachments(http)
    this.files = new Files(this.#do, http, this.#params)
  }

  open(options: { readonly messages?: number; readonly signal?: AbortSignal } = {}): Promise<Snapshot> {
    return this.#http.ask("openConversation", {
      params: this.#params,
      query: { messages: options.messages },
      ...signalOf(options),
    })
  }

  /** Sends exactly once: all attempts carry the same key. */
  send(message: string | SendBody, options: SendOptions = {}): Promise<Sent> {
    const body = withOptions(typeof message === "string" ? { text: message } : message, options)
    const headers = { "idempotency-key": options.key ?? makeKey() }
    return this.#do("send", { body, headers, attempts: options.attempts, ...signalOf(options) })
  }

  /** Stops the running turn, or only the given one (TRN-4). Its text so far stays. */
  stop(body: Stop = {}): Promise<AnswerOf<"stop">> {
    return this.#do("stop", { body })
  }

  /** Edits, moves, pauses or releases a queued message, if its version is still the given one (QUE-7). */
  async edit(message: string, change: Edit): Promise<QueueRow> {
    return (await this.#do("editQueued", { params: { message }, body: change })).message
  }

  /** Removes a queued message (QUE-9). */
  async remove(message: string): Promise<void> {
    await this.#do("removeQueued", { params: { message } })
  }

  clearQueue(): Promise<AnswerOf<"clearQueue">> {
    return this.#do("clearQueue")
  }

  /** Stops the running turn and starts this message; the rest of the queue follows (QUE-10). */
  sendNow(message: string): Promise<Sent> {
    return this.#do("sendNow", { params: { message } })
  }

  /** Keeps a queued message from starting while it is edited, until the lease is released (QUE-8). */
  async lease(message: string, options: LeaseOptions = {}): Promise<EditLease> {
    const holder = options.holder ?? makeKey()
    const params = { message }
    const renew = async () => (await this.#do("leaseQueued", { params, body: { holder } })).message
    return new EditLease({
      row: await renew(),
      holder,
      everyMs: this.#http.timing.leaseRenewMs,
      signal: options.signal,
      renew,
      release: () => this.#do("releaseQueued", { params }),
      save: (edit) => this.edit(message, edit),
    })
  }

  /** Pauses the queue until `resume` (QUE-5). */
  hold(): Promise<AnswerOf<"holdQueue">> {
    return this.#do("holdQueue")
  }

  resume(): Promise<AnswerOf<"resumeQueue">> {
    return this.#do("resumeQueue")
  }

  /** Rates a finished reply; null takes it back (MSG-13). */
  async rate(message: string, feedback: "up" | "down" | null): Promise<void> {
    await this.#do("rateMessage", { params: { message }, body: { feedback } })
  }

  /** Rejects with `ask.closed` if another answer came first (TRN-12). */
  async answer(ask: string, answer: Answer, options: AnswerOptions = {}): Promise<AskRow> {
    return (await this.#do("answerAsk", { params: { ask }, body: { ...options, answer } })).ask
  }

  /** Answers the open ask, whatever its id. Refused with `ask.none` or `ask.several` if there is not exactly one (API-22). */
  async answerOpen(answer: Answer, options: AnswerOptions = {}): Promise<AskRow> {
    return (await this.#do("answerOpenAsk", { body: { ...options, answer } })).ask
  }

  /** Replaces older messages with a summary, for the model only; the last turns are kept (CPT-3). */
  compact(options: BodyInputOf<"compact"> = {}): Promise<AnswerOf<"compact">> {
    return this.#do("compact", { body: options })
  }

  /** Replaces the model settings, from the next turn on; `{}` returns to the agent's own (MOD-3). */
  setModel(settings: ModelSettings): Promise<AnswerOf<"setModel">> {
    return this.#http.ask("setModel", { params: this.#params, body: settings })
  }

  mark(marks: Marks): Promise<AnswerOf<"markConversation">> {
    return this.#http.ask("markConversation", { params: this.#params, body: marks })
  }

  /** Creates an empty conversation, unless it exists. */
  make(): Promise<AnswerOf<"makeConversation">> {
    return this.#http.ask("makeConversation", { params: this.#params })
  }

  /**
   * Deletes it with its branches, whose names must be passed to confirm (BRA-6). With `undoable`, it is deleted after a
   * grace period, until `mark({ deleted: false })` (ADR-10).
   */
  async delete(options: { readonly branches?: readonly string[]; readonly undoable?: boolean } = {}): Promise<void> {
    const branches = options.branches?.map(encodeURIComponent).join(",")
    const { undoable } = options
    await this.#http.ask("deleteConversation", { params: this.#params, query: { branches, undoable } })
  }

  /** Older messages, newest first. */
  messages(page: { readonly before?: string; readonly limit?: number } = {}): Promise<MessagePage> {
    return this.#http.ask("listMessages", { params: this.#params, query: page })
  }

  /** Queued messages in the order they will start; `later` is the cursor of the next page. */
  queue(page: { readonly after?: string } = {}): Promise<QueuePage> {
    return this.#do("listQueue", { query: page })
  }

  /**
   * The log from `offset` on, until `signal` aborts. Reconnects and resumes by itself. With `steps`, turns include the
   * record of their newest step.
   */
  follow(options: FollowOptions & { readonly steps?: boolean } = {}): Following {
    const { steps } = options
    const open: OpenStream = ({ query, ...request }) =>
      this.#http.open("followConversation", {
        params: this.#params,
        ...request,
        query: { ...query, ...(steps ? { steps } : {}) },
      })
    const { timing, slots } = this.#http
    return new Following(readStream(timing, { open, slots }, options), options.offset ?? "-1")
  }

  /** The full output of a tool call whose output is truncated in its message. */
  async output(message: string, call: string): Promise<string> {
    return (await this.#http.open("readOutput", { params: { ...this.#params, message, call } })).text()
  }

  /** A picture that a tool call returned; 0 is the first. */
  async picture(message: string, call: string, picture: number): Promise<Blob> {
    const params = { ...this.#params, message, call }
    return (await this.#http.open("readOutput", { params, query: { picture } })).blob()
  }

  /** The conversation as JSON Lines, one line at a time, without line endings. `memory`: with your memories. */
  async *export({ memory }: { readonly memory?: boolean } = {}): AsyncGenerator<string> {
    const query = memory ? { query: { memory } } : {}
    const response = await this.#http.open("exportConversation", { params: this.#params, ...query })
    yield* linesOf(response.body)
  }

  /** A store for a user interface. It stays current until it is closed. */
  live(options: LiveOptions = {}): LiveConversation {
    return new LiveConversation(this, this.#http, options)
  }
}

function signalOf(options: { readonly signal?: AbortSignal }): { readonly signal?: AbortSignal } {
  return options.signal ? { signal: options.signal } : {}
}
