/**
 * A conversation for a user interface: its rows (`reading.ts`), the messages being sent to it
 * (`outbox.ts`), and its commands. The log is the truth, so messages being sent are separate, in `sending`.
 */
import type { AnswerOf, AskRow, QueueRow, SendBody, Sent } from "@parlor/protocol"
import type { Answer, AnswerOptions, Commands, Edit, LeaseOptions, SendOptions, Stop } from "../commands.ts"
import type { Http } from "../http.ts"
import { makeKey } from "../key.ts"
import type { EditLease } from "../lease.ts"
import { withOptions } from "../with-options.ts"
import { Outbox } from "./outbox.ts"
import { Reading, type ReadingSource } from "./reading.ts"
import { type LiveState, loadingState } from "./state.ts"
import type { OutboxStorage } from "./stored-sends.ts"
import { Watched } from "./watched.ts"

export type LiveOptions = {
  /** How many of the newest messages to open with. */
  readonly messages?: number
  /** It does not exist yet: it is empty, and created with the first message (ADR-12). */
  readonly isNew?: boolean
  /** Where undelivered messages survive the page: `localStorage`. Without it they live as long as this object. */
  readonly storage?: OutboxStorage
}

/** The conversation this is a view of. */
export type LiveSource = ReadingSource &
  Commands & {
    readonly agent: string
    readonly branch: string
    make(): Promise<unknown>
    send(
      body: SendBody,
      options: { readonly key: string; readonly signal: AbortSignal; readonly attempts: number },
    ): Promise<Sent>
  }

/** `version` is by default the one that is shown. */
export type LiveEdit = Omit<Edit, "version"> & { readonly version?: number }

const OLDER_PAGE = 50

export class LiveConversation {
  /** The current state. The same object until something changes. */
  readonly getState: () => LiveState
  readonly subscribe: (listener: () => void) => () => void
  readonly #conversation: LiveSource
  readonly #outbox: Outbox
  readonly #reading: Reading
  readonly #closed = new AbortController()
  readonly #watched: Watched<LiveState>
  #older: Promise<void> | undefined

  constructor(conversation: LiveSource, http: Http, options: LiveOptions) {
    this.#conversation = conversation
    const { isNew = false } = options
    this.#watched = new Watched<LiveState>(loadingState, (before) => this.#build(before))
    this.getState = this.#watched.get
    this.subscribe = this.#watched.subscribe
    const outbox = new Outbox({
      // The outbox does its own retries.
      deliver: async (body, key, signal) => {
        if (isNew && this.#reading.window === undefined) await conversation.make()
        const sent = await conversation.send(body, { key, signal, attempts: 1 })
        if (isNew) this.#reading.next?.now()
        return sent
      },
      changed: () => this.#watched.touch(),
      timing: http.timing,
      scope: JSON.stringify([http.baseUrl, http.person ?? "", conversation.agent, conversation.branch]),
      ...(options.storage ? { storage: options.storage } : {}),
    })
    this.#outbox = outbox
    this.#reading = new Reading(conversation, {
      messages: options.messages,
      isNew,
      timing: http.timing,
      signal: this.#closed.signal,
      onStartOver: () => outbox.startOver(),
      onSnapshot: (snapshot) => outbox.begin(snapshot),
      onChanges: (changes, offset) => outbox.read(changes, offset),
      changed: () => this.#changed(),
    })
  }

  /**
   * Shown at once in `sending`, delivered once the server can be reached. Rejects if the server rejects it, if the
   * conversation cannot be opened, and with `closed` if this is closed first.
   */
  send(message: string | SendBody, options: Omit<SendOptions, "signal"> = {}): Promise<Sent> {
    const body = withOptions(typeof message === "string" ? { text: message } : message, options)
    return this.#outbox.add(body, options.key ?? makeKey())
  }

  /** Retries a rejected message, or one that waits for its next attempt, now. */
  retrySend(key: string): void {
    this.#outbox.retry(key)
  }

  /** Cancels an undelivered message. Its promise rejects with `send.cancelled`. */
  cancelSend(key: string): void {
    this.#outbox.cancel(key)
  }

  dismissSend(key: string): void {
    this.#outbox.dismiss(key)
  }

  /** Stops the turn that is shown as running, not a later one (TRN-4). */
  stop(body: Omit<Stop, "turn"> = {}): Promise<AnswerOf<"stop">> {
    const turn = this.#reading.window?.status?.turn
    return this.#conversation.stop(turn ? { ...body, turn } : body)
  }

  /** Edits, moves, pauses or releases a queued message as it is shown. A later version is not overwritten (QUE-7). */
  edit(message: string, change: LiveEdit): Promise<QueueRow> {
    const shown = this.#reading.window?.queue().find((row) => row.id === message)
    return this.#conversation.edit(message, { ...change, version: change.version ?? shown?.version ?? 1 })
  }

  remove(message: string): Promise<void> {
    return this.#conversation.remove(message)
  }

  clearQueue(): Promise<AnswerOf<"clearQueue">> {
    return this.#conversation.clearQueue()
  }

  sendNow(message: string): Promise<Sent> {
    return this.#conversation.sendNow(message)
  }

  /** Renewed until released or until this is closed (QUE-8). */
  lease(message: string, options: Omit<LeaseOptions, "signal"> = {}): Promise<EditLease> {
    return this.#conversation.lease(message, { ...options, signal: this.#closed.signal })
  }

  hold(): Promise<AnswerOf<"holdQueue">> {
    return this.#conversation.hold()
  }

  resume(): Promise<AnswerOf<"resumeQueue">> {
    return this.#conversation.resume()
  }

  answer(ask: string, answer: Answer, options: AnswerOptions = {}): Promise<AskRow> {
    return this.#conversation.answer(ask, answer, options)
  }

  answerOpen(answer: Answer, options: AnswerOptions = {}): Promise<AskRow> {
    return this.#conversation.answerOpen(answer, options)
  }

  /** Loads the page before the first message into `messages`. Concurrent calls share one request. */
  loadOlder(limit: number = OLDER_PAGE): Promise<void> {
    this.#older ??= this.#reading.loadOlder(limit).finally(() => {
      this.#older = undefined
      this.#watched.touch()
    })
    this.#watched.touch()
    return this.#older
  }

  /** Retries the connection and undelivered messages now. */
  reconnect(): void {
    this.#reading.next?.now()
    this.#outbox.hurry()
  }

  close(): void {
    this.#closed.abort()
    this.#outbox.close()
  }

  #changed(): void {
    if (this.#reading.phase === "failed") this.#outbox.close(this.#reading.error ?? undefined)
    this.#watched.touch()
  }

  #build(before: LiveState): LiveState {
    const { window, phase, connection, next: retry, error } = this.#reading
    const next: LiveState = {
      phase,
      connection,
      reconnectAt: connection === "live" ? null : (retry?.at ?? null),
      title: window?.status?.title ?? "",
      status: window?.status ?? null,
      messages: window?.messages() ?? before.messages,
      queue: window?.queue() ?? before.queue,
      unreadQueued: window?.unreadQueued ?? 0,
      asks: window?.asks() ?? before.asks,
      slashCommands: window?.all("slashCommands") ?? before.slashCommands,
      turns: window?.all("turns") ?? before.turns,
      changes: window?.all("changes") ?? before.changes,
      rollbacks: window?.all("rollbacks") ?? before.rollbacks,
      archives: window?.all("archives") ?? before.archives,
      branches: window?.all("branches") ?? before.branches,
      older: window?.older ?? null,
      isLoadingOlder: this.#older !== undefined,
      sending: this.#outbox.visible(),
      error,
    }
    const names = Object.keys(next) as (keyof LiveState)[]
    return names.every((name) => next[name] === before[name]) ? before : next
  }
}
