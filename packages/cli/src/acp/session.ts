/**
 * One conversation as an ACP session: its log, followed for as long as the session is open, becomes session updates.
 *
 *   prompt ──send──▶ queued ──its turn starts──▶ running ──turn ends──▶ resolved: end_turn, cancelled, or an error
 *                      └──removed from the queue──▶ cancelled   └──a question in text──▶ end_turn
 *
 * A prompt never stops another one: a second prompt is queued behind the first. Closing the connection stops nothing;
 * the turn continues on the server, and loading the session shows the rest.
 */
import {
  type AgentContext,
  type ContentBlock,
  RequestError,
  type SessionNotification,
  type StopReason,
} from "@agentclientprotocol/sdk"
import { type AcpEvent, AcpFacts, AcpReading, type AcpUpdate, acpMessages, acpText } from "@parlor/adapters"
import { type Conversation, type Parlor, ParlorError } from "@parlor/client"
import { type AskRow, type ChangeEvent, type ModelView, parseOffset, type Snapshot } from "@parlor/protocol"
import { readAnswer } from "../asks.ts"
import { Asking } from "./asking.ts"
import { diffsOf } from "./diffs.ts"
import { failedTurn } from "./errors.ts"
import { historyOf } from "./history.ts"
import { composePrompt } from "./prompt.ts"

const REQUEST_CANCELLED = -32800

export type SessionParts = {
  readonly id: string
  readonly parlor: Parlor
  readonly conversation: Conversation
  readonly client: AgentContext
  readonly hasNotices: boolean
  readonly hasForms: boolean
  /** The models that the agent offers. */
  readonly models: readonly ModelView[]
  /** Writes a line about a problem that no request can report. */
  readonly note: (problem: unknown) => void
}

type Prompt = {
  readonly message: string
  turn: string | undefined
  isCancelled: boolean
  readonly end: (reason: StopReason) => void
  readonly fail: (error: unknown) => void
}

export class AcpSession {
  readonly #parts: SessionParts
  readonly #asking: Asking
  readonly #left = new AbortController()
  readonly #root: string
  readonly #own = new Set<string>()
  #prompts: readonly Prompt[] = []
  #running: { readonly message: string; readonly turn: string } | undefined
  /** Changes are read only when no send is in progress, so that the session knows its own messages. */
  #sending: Promise<unknown> = Promise.resolve()

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#root = `/parlor/${parts.conversation.agent}/${parts.conversation.branch}`
    this.#asking = new Asking({
      ...parts,
      sessionId: parts.id,
      onText: (ask, text) => this.#askInText(ask, text),
      onError: parts.note,
    })
  }

  /** Replays the messages so far, except those of a running turn, which `follow` replays from its beginning. */
  async replay(snapshot: Snapshot): Promise<void> {
    const { messages, isWhole } = await historyOf(this.#parts.conversation, snapshot)
    if (!isWhole)
      await this.#update({
        sessionUpdate: "agent_message_chunk",
        messageId: "earlier",
        content: acpText("Earlier messages are not shown here. The conversation has them.\n\n"),
      })
    for (const update of acpMessages(messages, { root: this.#root })) await this.#update(update)
  }

  /** `whole`: replays a running turn from its beginning; otherwise only later events are sent. */
  follow(snapshot: Snapshot, { whole }: { readonly whole: boolean }): void {
    void this.#follow(snapshot, whole).catch((error: unknown) => this.#lost(error))
  }

  /** Resolves when the reply to this prompt has ended, even if it has to wait for others first. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason> {
    const { parlor, conversation } = this.#parts
    const question = this.#asking.inText
    const running = this.#running
    const input = await composePrompt(parlor, conversation, blocks)
    if (question !== undefined && running !== undefined) {
      const answered = this.#wait(running, signal)
      await conversation.answer(question.id, readAnswer(question, input.text)).catch((error: unknown) => {
        this.#prompts = this.#prompts.filter((one) => one !== answered.prompt)
        throw error
      })
      return answered.ended
    }
    const sending = this.#sending.then(() => conversation.send(input.body))
    const registered = sending.then((sent) => {
      this.#own.add(sent.message)
      return this.#wait({ message: sent.message, turn: sent.turn }, signal)
    })
    this.#sending = registered.catch(() => undefined)
    return (await registered).ended
  }

  /** Every prompt of this client: queued ones are removed, and the running turn is stopped. What it said is kept. */
  async cancel(): Promise<void> {
    await this.#sending
    const prompts = this.#prompts
    for (const prompt of prompts) prompt.isCancelled = true
    const queued = prompts.filter(({ message }) => message !== this.#running?.message)
    await Promise.all(queued.map((prompt) => this.#cancelQueued(prompt)))
    if (this.#running !== undefined) await this.#stop(this.#running.turn)
  }

  /** Stops following. The client's own prompts are cancelled; turns that others started continue. */
  async close(): Promise<void> {
    await this.#sending
    if (this.#prompts.length > 0) await this.cancel()
    this.leave()
    for (const prompt of this.#prompts) prompt.end("cancelled")
    this.#prompts = []
  }

  /** The client is gone. Nothing is stopped. */
  leave(): void {
    this.#left.abort()
    this.#asking.close()
  }

  async #follow(snapshot: Snapshot, whole: boolean): Promise<void> {
    const { conversation, hasNotices } = this.#parts
    const now = parseOffset(snapshot.offset)
    const offset = (await this.#beginning(snapshot)) ?? snapshot.offset
    const reading = new AcpReading({ root: this.#root, notices: hasNotices, isOwn: (id) => this.#own.has(id) })
    const facts = new AcpFacts(snapshot, this.#parts.models)
    for (const update of facts.news()) await this.#update(update)
    for await (const changes of conversation.follow({ offset, signal: this.#left.signal, steps: true })) {
      await this.#sending
      const known = whole ? -1 : changes.findLastIndex((change) => isUpTo(change, now))
      for (const event of reading.read(changes.slice(0, known + 1))) await this.#handle(event, { quiet: true })
      for (const event of reading.read(changes.slice(known + 1))) await this.#handle(event, { quiet: false })
      for (const change of changes) facts.read(change)
      for (const update of facts.news()) await this.#update(update)
      await this.#asking.request()
    }
  }

  /** Where the running turn began: its events are read from there. */
  async #beginning({ status }: Snapshot): Promise<string | undefined> {
    if (status.busyWith !== "turn" || status.turn === null) return undefined
    const { turns } = await this.#parts.conversation.inspect.turns({ limit: 1 })
    const [newest] = turns
    return newest?.id === status.turn ? (newest.began ?? undefined) : undefined
  }

  async #handle(event: AcpEvent, { quiet }: { readonly quiet: boolean }): Promise<void> {
    switch (event.type) {
      case "update":
        if (!quiet) await this.#update(await this.#withDiffs(event))
        return
      case "ask-opened":
        this.#asking.opened(event.ask, event.toolCallId)
        return
      case "ask-closed":
        this.#asking.closed(event.ask.id)
        return
      case "started":
        this.#running = event
        for (const prompt of this.#prompts) if (prompt.message === event.message) prompt.turn = event.turn
        return
      case "ended":
        if (this.#running?.message === event.message) this.#running = undefined
        this.#own.delete(event.message)
        this.#endPrompts(event)
        return
    }
  }

  #endPrompts({ message, state, error }: Extract<AcpEvent, { type: "ended" }>): void {
    const ended = this.#prompts.filter((prompt) => prompt.message === message)
    this.#prompts = this.#prompts.filter((prompt) => prompt.message !== message)
    for (const prompt of ended) {
      if (prompt.isCancelled || state === "stopped" || state === "removed") prompt.end("cancelled")
      else if (state === "done") prompt.end("end_turn")
      else prompt.fail(failedTurn(error?.code ?? "turn.interrupted", error?.detail ?? "The turn was interrupted."))
    }
  }

  /** The reply pauses here: the client's next prompt is the answer. */
  async #askInText(ask: AskRow, text: string): Promise<void> {
    await this.#update({ sessionUpdate: "agent_message_chunk", messageId: ask.id, content: acpText(text) })
    const waiting = this.#prompts.filter(({ message }) => message === this.#running?.message)
    this.#prompts = this.#prompts.filter((prompt) => !waiting.includes(prompt))
    for (const prompt of waiting) prompt.end("end_turn")
  }

  #wait(of: { readonly message: string; readonly turn: string | undefined }, signal: AbortSignal) {
    const { promise: ended, resolve: end, reject: fail } = withResolvers<StopReason>()
    const prompt: Prompt = { ...of, isCancelled: false, end, fail }
    this.#prompts = [...this.#prompts, prompt]
    const cancel = () => {
      if (isCancelRequest(signal.reason)) void this.#cancelOne(prompt).catch(this.#parts.note)
    }
    signal.addEventListener("abort", cancel, { once: true })
    if (signal.aborted) cancel()
    return { prompt, ended }
  }

  async #cancelOne(prompt: Prompt): Promise<void> {
    prompt.isCancelled = true
    if (prompt.turn === undefined) await this.#cancelQueued(prompt)
    else await this.#stop(prompt.turn)
  }

  /** A message that started meanwhile is stopped instead. */
  async #cancelQueued(prompt: Prompt): Promise<void> {
    try {
      await this.#parts.conversation.remove(prompt.message)
    } catch (error) {
      if (!(error instanceof ParlorError)) throw error
      if (prompt.turn !== undefined) await this.#stop(prompt.turn)
    }
  }

  async #stop(turn: string): Promise<void> {
    try {
      await this.#parts.conversation.stop({ turn })
    } catch (error) {
      if (!(error instanceof ParlorError && (error.code === "turn.over" || error.code === "turn.none"))) throw error
    }
  }

  async #withDiffs({ update, changes }: Extract<AcpEvent, { type: "update" }>): Promise<AcpUpdate> {
    if (changes === undefined || update.sessionUpdate !== "tool_call_update") return update
    const diffs = await diffsOf(this.#parts.conversation, changes, this.#root)
    return { ...update, content: [...diffs, ...(update.content ?? [])] }
  }

  async #update(update: AcpUpdate): Promise<void> {
    const params: SessionNotification = { sessionId: this.#parts.id, update }
    await this.#parts.client.notify("session/update", params)
  }

  /** The conversation cannot be followed any more: it was deleted, or the token is no longer valid. */
  #lost(error: unknown): void {
    if (this.#left.signal.aborted) return
    this.leave()
    this.#parts.note(error)
    for (const prompt of this.#prompts) prompt.fail(error)
    this.#prompts = []
  }
}

/** A closed connection ends the request too, but the client asked for nothing: the turn continues. */
function isCancelRequest(reason: unknown): boolean {
  return reason instanceof RequestError && reason.code === REQUEST_CANCELLED
}

function isUpTo(change: ChangeEvent, seq: ReturnType<typeof parseOffset>): boolean {
  const at = parseOffset(change.headers.offset)
  return typeof at === "number" && typeof seq === "number" && at <= seq
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
