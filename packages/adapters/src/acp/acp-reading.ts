/**
 * Maps the log of a conversation to what an ACP client receives: session updates, asks, and the ends of replies.
 *
 *   change ─▶ turn events ─▶ updates: text, thoughts, tool calls with files
 *          └▶ asks; the end of the reply to a message
 *
 * Pure: a function of the changes. ACP cannot retract text, so a second attempt continues the text already shown, or
 * becomes a new message if its text differs.
 */
import {
  type AskRow,
  type ChangeEvent,
  type ChangeRow,
  type EndedState,
  newTurnReading,
  type ProblemNote,
  readTurnEvents,
  type TurnEvent,
} from "@parlor/protocol"
import { AttemptText } from "../attempt-text.ts"
import { callIdOf } from "../call-id.ts"
import { acpQuestion } from "./acp-messages.ts"
import { type AcpFiles, acpCall, acpOutcome } from "./acp-tools.ts"
import { type AcpToolCall, type AcpUpdate, acpText } from "./acp-update.ts"

export type AcpEvent =
  /** `changes`: the files that a tool call changed; the update includes their contents. */
  | { readonly type: "update"; readonly update: AcpUpdate; readonly changes?: readonly ChangeRow[] }
  | {
      readonly type: "ask-opened"
      readonly ask: AskRow
      readonly message: string
      readonly toolCallId: string | undefined
    }
  | { readonly type: "ask-closed"; readonly ask: AskRow }
  | { readonly type: "started"; readonly message: string; readonly turn: string }
  /** The reply to `message` ended; `removed`: the message left the queue without one. */
  | {
      readonly type: "ended"
      readonly message: string
      readonly state: EndedState | "removed"
      readonly error: ProblemNote | null
    }

export type AcpReadingOptions = AcpFiles & {
  /** Whether the client shows notices. */
  readonly notices: boolean
  /** Whether the client sent this message itself and therefore already shows it. */
  readonly isOwn: (message: string) => boolean
}

type Running = { readonly message: string; readonly isCompaction: boolean; guestsNext: readonly string[] }

export class AcpReading {
  readonly #options: AcpReadingOptions
  readonly #reading = newTurnReading()
  readonly #attempt = new AttemptText()
  #turn: Running | undefined
  /** Tool calls of the turn by the model's id, and the files changed by the one that runs. */
  readonly #calls = new Map<string, string>()
  #changes: ChangeRow[] = []
  /** Messages removed from the queue in this batch that have not started a turn in it. */
  readonly #unqueued = new Set<string>()

  constructor(options: AcpReadingOptions) {
    this.#options = options
  }

  /** The changes of one batch; a batch contains whole writes. */
  read(changes: readonly ChangeEvent[]): readonly AcpEvent[] {
    const events = changes.flatMap((change) => this.#readChange(change))
    const removed = [...this.#unqueued].map((message) => ended(message, "removed", null))
    this.#unqueued.clear()
    return [...events, ...removed]
  }

  #readChange(change: ChangeEvent): readonly AcpEvent[] {
    const { operation } = change.headers
    if (change.type === "queue" && operation === "delete") this.#unqueued.add(change.key)
    if (operation === "delete") return none
    const events = readTurnEvents(this.#reading, change).flatMap((event) => this.#map(event))
    switch (change.type) {
      case "messages":
        this.#unqueued.delete(change.key)
        return operation === "insert" && change.value.role === "person" && !this.#options.isOwn(change.key)
          ? [...acpQuestion(change.value).map(update), ...events]
          : events
      case "changes":
        if (change.value.turn !== null) this.#changes.push(change.value)
        return events
      default:
        return events
    }
  }

  #map(event: TurnEvent): readonly AcpEvent[] {
    switch (event.type) {
      case "turn-started":
        return this.#start(event)
      case "turn-ended":
        return this.#end(event)
      case "step-started":
        this.#attempt.startStep(event.message)
        return none
      case "attempt-reset":
        this.#attempt.reset()
        return none
      case "text-delta":
        return this.#text(event)
      case "tool-input":
        this.#calls.set(event.call, event.message)
        return [update({ sessionUpdate: "tool_call", ...acpCall(event, this.#options) })]
      case "tool-started":
        this.#changes = []
        return [toolUpdate({ toolCallId: callIdOf(event.message, event.call), status: "in_progress" })]
      case "tool-output":
        return [this.#toolOutput(event)]
      case "ask-opened":
        return [
          {
            type: "ask-opened",
            ask: event.ask,
            message: this.#turn?.message ?? "",
            toolCallId: this.#callOf(event.ask),
          },
        ]
      case "ask-closed":
        return [{ type: "ask-closed", ask: event.ask }]
      case "notice":
        return this.#notice("info", event.text)
      case "retrying":
        return this.#notice("warning", "The model could not be called; trying again.", event.error?.detail)
      case "step-ended":
      case "steering-message":
      case "text-started":
      case "text-ended":
        return none
    }
  }

  #start({ message, turn, compaction, guestsNext }: Extract<TurnEvent, { type: "turn-started" }>): readonly AcpEvent[] {
    this.#turn = { message, isCompaction: compaction, guestsNext }
    this.#calls.clear()
    this.#changes = []
    return compaction ? none : [{ type: "started", message, turn }]
  }

  /** Guests answer in separate turns; the reply ends with the last one. */
  #end({ state, error }: Extract<TurnEvent, { type: "turn-ended" }>): readonly AcpEvent[] {
    const turn = this.#turn
    this.#turn = undefined
    if (turn === undefined || turn.isCompaction) return none
    return state === "done" && turn.guestsNext.length > 0 ? none : [ended(turn.message, state, error)]
  }

  #text({ kind, text, message }: Extract<TurnEvent, { type: "text-delta" }>): readonly AcpEvent[] {
    if (this.#turn?.isCompaction) return none
    const { id, text: shown } = kind === "text" ? this.#attempt.next(message, text) : { id: message, text }
    if (shown === "") return none
    const sessionUpdate = kind === "text" ? "agent_message_chunk" : "agent_thought_chunk"
    return [update({ sessionUpdate, messageId: id, content: acpText(shown) })]
  }

  #toolOutput(event: Extract<TurnEvent, { type: "tool-output" }>): AcpEvent {
    const toolCallId = callIdOf(event.message, event.call)
    const changes = this.#changes
    this.#changes = []
    const paths = [...new Set(changes.map(({ path }) => `${this.#options.root}/${path}`))]
    const locations = paths.length === 0 ? {} : { locations: paths.map((path) => ({ path })) }
    const done = toolUpdate({ toolCallId, ...acpOutcome(event), ...locations })
    return changes.length === 0 ? done : { ...done, changes }
  }

  #callOf({ call }: AskRow): string | undefined {
    const message = call === null ? undefined : this.#calls.get(call)
    return call === null || message === undefined ? undefined : callIdOf(message, call)
  }

  #notice(severity: "info" | "warning", title: string, detail?: string): readonly AcpEvent[] {
    if (!this.#options.notices) return none
    const description = detail === undefined || detail === "" ? {} : { description: detail }
    return [update({ sessionUpdate: "notice", severity, title, ...description })]
  }
}

const none: readonly AcpEvent[] = []

function update(one: AcpUpdate): Extract<AcpEvent, { type: "update" }> {
  return { type: "update", update: one }
}

function toolUpdate(call: AcpToolCall): Extract<AcpEvent, { type: "update" }> {
  return update({ sessionUpdate: "tool_call_update", ...call })
}

function ended(message: string, state: EndedState | "removed", error: ProblemNote | null): AcpEvent {
  return { type: "ended", message, state, error }
}
