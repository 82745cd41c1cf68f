/**
 * A conversation as a user interface shows it.
 *
 *   loading ──snapshot──▶ ready ──refused──▶ failed
 *      └────────────refused──────────────────▲
 *
 * Loads the snapshot, follows from its offset and folds. Breaks are mended without leaving `ready`; `connection` tells
 * of them. The log is the truth: what is on its way is kept apart, in `sending`.
 */
import type {
  AnswerOf,
  AskRow,
  BodyInputOf,
  CommandRow,
  MessagePage,
  MessageRow,
  QueueRow,
  SendBody,
  Sent,
  Snapshot,
  StatusRow,
  TurnRow,
} from "@parlor/protocol"
import { ParlorError } from "../error.ts"
import type { Connection, Following, FollowOptions } from "../follow.ts"
import type { Http } from "../http.ts"
import { makeKey } from "../key.ts"
import { backoff, pause, type Timing } from "../timing.ts"
import { Outbox, type PendingSend } from "./outbox.ts"
import type { OutboxStorage } from "./stored-sends.ts"
import { Watched } from "./watched.ts"
import { Window } from "./window.ts"

export type LiveOptions = {
  /** How many of the newest messages to open with. */
  readonly messages?: number
  /** Where undelivered sends outlive the page: `localStorage`. Without it they live as long as this object. */
  readonly storage?: OutboxStorage
}

/** The conversation this is a view of. */
export type LiveSource = {
  readonly agent: string
  readonly branch: string
  open(options: { readonly messages?: number; readonly signal: AbortSignal }): Promise<Snapshot>
  send(body: SendBody, options: { readonly key: string; readonly signal: AbortSignal }): Promise<Sent>
  stop(body: BodyInputOf<"stop">): Promise<AnswerOf<"stop">>
  messages(page: { readonly before: string; readonly limit: number }): Promise<MessagePage>
  follow(options: FollowOptions): Following
}

export type LiveState = {
  readonly phase: "loading" | "ready" | "failed"
  readonly connection: Connection
  readonly title: string
  readonly status: StatusRow | null
  /** In order, with the text that is still streaming. */
  readonly messages: readonly MessageRow[]
  readonly queue: readonly QueueRow[]
  readonly asks: readonly AskRow[]
  readonly commands: readonly CommandRow[]
  /** Turns that changed since this was opened. */
  readonly turns: readonly TurnRow[]
  /** The cursor of the page before the first message; null when there is none. */
  readonly older: string | null
  readonly isLoadingOlder: boolean
  readonly sending: readonly PendingSend[]
  readonly error: ParlorError | null
}

const OLDER_PAGE = 50

export class LiveConversation {
  /** The state now. The same object until something changes. */
  readonly getState: () => LiveState
  readonly subscribe: (listener: () => void) => () => void
  readonly #conversation: LiveSource
  readonly #timing: Timing
  readonly #options: LiveOptions
  readonly #outbox: Outbox
  readonly #closed = new AbortController()
  readonly #watched: Watched<LiveState>
  #window: Window | undefined
  #phase: LiveState["phase"] = "loading"
  #connection: Connection = "connecting"
  #error: ParlorError | null = null
  #older: Promise<void> | undefined

  constructor(conversation: LiveSource, http: Http, options: LiveOptions) {
    this.#conversation = conversation
    this.#timing = http.timing
    this.#options = options
    this.#watched = new Watched<LiveState>(loadingState, (before) => this.#build(before))
    this.getState = this.#watched.get
    this.subscribe = this.#watched.subscribe
    this.#outbox = new Outbox({
      deliver: (body, key, signal) => conversation.send(body, { key, signal }),
      changed: () => this.#watched.touch(),
      timing: http.timing,
      scope: JSON.stringify([http.baseUrl, http.person ?? "", conversation.agent, conversation.branch]),
      ...(options.storage ? { storage: options.storage } : {}),
    })
    void this.#run()
  }

  /** Shown at once in `sending`, delivered as soon as the server can be reached. */
  send(message: string | SendBody, options: { readonly key?: string } = {}): Promise<Sent> {
    const body = typeof message === "string" ? { text: message } : message
    return this.#outbox.add(body, options.key ?? makeKey())
  }

  retrySend(key: string): void {
    this.#outbox.retry(key)
  }

  dismissSend(key: string): void {
    this.#outbox.dismiss(key)
  }

  /** Stops the turn that is shown as running, and no later one (TRN-4). */
  stop(body: Omit<BodyInputOf<"stop">, "turn"> = {}): Promise<AnswerOf<"stop">> {
    const turn = this.#window?.status?.turn
    return this.#conversation.stop(turn ? { ...body, turn } : body)
  }

  /** Puts the page before the first message into `messages`. Calls while it loads share the one request. */
  loadOlder(limit: number = OLDER_PAGE): Promise<void> {
    this.#older ??= this.#loadOlder(limit).finally(() => {
      this.#older = undefined
      this.#watched.touch()
    })
    this.#watched.touch()
    return this.#older
  }

  close(): void {
    this.#closed.abort()
    this.#outbox.close()
  }

  async #loadOlder(limit: number): Promise<void> {
    const window = this.#window
    if (window === undefined || window.older === null) return
    const page = await this.#conversation.messages({ before: window.older, limit })
    window.prepend(page)
  }

  async #run(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      try {
        const snapshot = await this.#load()
        if (snapshot === undefined) return
        await this.#follow(snapshot)
        return
      } catch (error) {
        if (this.#closed.signal.aborted) return
        // The server's log is not the one this was read from: begin again from what is there now.
        if (error instanceof ParlorError && error.code === "offset.invalid") {
          await pause(backoff(this.#timing, 0), this.#closed.signal)
          continue
        }
        this.#fail(error)
        return
      }
    }
  }

  async #load(): Promise<Snapshot | undefined> {
    const { signal } = this.#closed
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const { messages } = this.#options
        return await this.#conversation.open({ signal, ...(messages === undefined ? {} : { messages }) })
      } catch (error) {
        if (signal.aborted) return undefined
        if (!(error instanceof ParlorError && error.passing)) throw error
        this.#connected(failures > 0 ? "offline" : "connecting")
        await pause(backoff(this.#timing, failures, error.retryAfterMs), signal)
      }
    }
    return undefined
  }

  async #follow(snapshot: Snapshot): Promise<void> {
    const window = new Window(snapshot)
    this.#window = window
    this.#phase = "ready"
    this.#outbox.read([], snapshot.offset)
    this.#watched.touch()
    const onConnection = (connection: Connection): void => this.#connected(connection)
    const stream = this.#conversation.follow({ offset: snapshot.offset, signal: this.#closed.signal, onConnection })
    for await (const changes of stream) {
      window.apply(changes)
      this.#outbox.read(changes, stream.offset)
      this.#watched.touch()
    }
  }

  #fail(error: unknown): void {
    this.#phase = "failed"
    this.#connection = "offline"
    this.#error = error instanceof ParlorError ? error : new ParlorError("network", String(error), { cause: error })
    this.#outbox.close()
    this.#watched.touch()
  }

  #connected(connection: Connection): void {
    this.#connection = connection
    this.#watched.touch()
  }

  #build(before: LiveState): LiveState {
    const window = this.#window
    const next: LiveState = {
      phase: this.#phase,
      connection: this.#connection,
      title: window?.status?.title ?? "",
      status: window?.status ?? null,
      messages: window?.messages() ?? before.messages,
      queue: window?.queue() ?? before.queue,
      asks: window?.all("asks") ?? before.asks,
      commands: window?.all("commands") ?? before.commands,
      turns: window?.all("turns") ?? before.turns,
      older: window?.older ?? null,
      isLoadingOlder: this.#older !== undefined,
      sending: this.#outbox.visible(),
      error: this.#error,
    }
    const names = Object.keys(next) as (keyof LiveState)[]
    return names.every((name) => next[name] === before[name]) ? before : next
  }
}

const loadingState: LiveState = {
  phase: "loading",
  connection: "connecting",
  title: "",
  status: null,
  messages: [],
  queue: [],
  asks: [],
  commands: [],
  turns: [],
  older: null,
  isLoadingOlder: false,
  sending: [],
  error: null,
}
