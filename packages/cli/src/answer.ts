/**
 * Extracts the answer to one message from the conversation's changes. Pure.
 *
 *   queued ──its turn starts──▶ answering ──its turn ends──▶ ended
 *      │                          ▲  └──another guest────┐    ▲
 *      │                          └──────────────────────┘    │
 *      └──────removed from the queue─────────────────────────┘
 */
import type { ChangeEvent, DeltaRow, MessageRow, Sent, StatusRow, TurnRow } from "@parlor/protocol"
import { plain } from "./plain.ts"
import { Spoken } from "./spoken.ts"

/** After a restart of the server: what follows replaces the reply shown so far. */
export const STARTS_OVER = "the reply was interrupted and starts over"

export type Ending = { readonly state: TurnRow["state"] | "removed"; readonly detail: string | undefined }

/** `text` belongs to the answer, `notes` are about it. Both are safe for a terminal. */
export type Heard = {
  readonly text: string
  readonly notes: readonly string[]
  readonly ending: Ending | undefined
}

export class Answer {
  readonly #message: string
  readonly #spoken = new Spoken()
  readonly #replies = new Set<string>()
  readonly #tools = new Map<string, string>()
  #turn: string | undefined
  #ending: Ending | undefined
  #isUnqueued = false
  #text = ""
  #notes: string[] = []
  /** The part whose text was shown last; text of another part starts a new paragraph. */
  #speaking: string | undefined
  /** Who spoke last, by the author of the message. */
  #speaker = ""
  readonly #agent: string
  readonly #askHint: string
  #tail = ""

  /** `askHint` is the command that shows open questions. */
  constructor(sent: Pick<Sent, "message" | "turn">, agent: string, askHint = '"parlor ask"') {
    this.#askHint = askHint
    this.#message = sent.message
    this.#turn = sent.turn
    this.#agent = agent
  }

  /** The turn that answers, once it has started. */
  get turn(): string | undefined {
    return this.#turn
  }

  /** Whether the shown text does not end with a newline. */
  get isMidLine(): boolean {
    return this.#tail !== "" && !this.#tail.endsWith("\n")
  }

  read(changes: readonly ChangeEvent[]): Heard {
    this.#text = ""
    this.#notes = []
    for (const change of changes) if (this.#ending === undefined) this.#take(change)
    if (this.#isUnqueued && this.#turn === undefined) this.#ending = { state: "removed", detail: undefined }
    return { text: this.#text, notes: this.#notes, ending: this.#ending }
  }

  #take(change: ChangeEvent): void {
    if (change.type === "turns") this.#takeTurn(change.value)
    else if (change.type === "messages") this.#takeMessage(change.value)
    else if (change.type === "deltas") this.#takeDelta(change.value)
    else if (change.type === "status") this.#takeStatus(change.value)
    else if (change.type === "queue" && change.key === this.#message && change.headers.operation === "delete")
      this.#isUnqueued = true
  }

  #takeTurn(turn: TurnRow): void {
    if (turn.message === this.#message) this.#turn ??= turn.id
    if (turn.id !== this.#turn || turn.endedAt === null) return
    if (turn.state === "done" && turn.guestsNext.length > 0) {
      this.#turn = undefined
      this.#isUnqueued = false
    } else this.#ending = { state: turn.state, detail: turn.error ? plain(turn.error.detail) : undefined }
  }

  #takeMessage(message: MessageRow): void {
    if (message.id === this.#message) this.#turn ??= message.turn ?? undefined
    if (message.role !== "agent" || message.turn === null || message.turn !== this.#turn) return
    this.#replies.add(message.id)
    this.#speaks(message.author)
    if (this.#spoken.startsOver(message)) {
      this.#notes.push(STARTS_OVER)
      this.#speaking = `before ${message.id}`
    }
    message.parts.forEach((part, index) => {
      if (part.type === "text") this.#say(`${message.id}/${index}`, this.#spoken.rest(message, index))
      if (part.type === "tool") this.#noteTool(part.call, part.name, part.state)
      if (part.type === "notice") this.#noteTool(`${message.id}/${index}`, part.text, "")
    })
  }

  #takeDelta(delta: DeltaRow): void {
    if (delta.kind !== "text" || !this.#replies.has(delta.message)) return
    this.#say(`${delta.message}/${delta.part}`, this.#spoken.delta(delta))
  }

  #takeStatus(status: StatusRow): void {
    if (status.turn === null || status.turn !== this.#turn) return
    if (status.state === "retrying")
      this.#notes.push(`retrying (attempt ${status.attempt ?? 1}): ${plain(status.error?.detail ?? "no reason given")}`)
    if (status.state === "waiting") this.#notes.push(`the agent has a question: ${this.#askHint} shows it`)
  }

  /** Later speakers are named in the text; the first only in a note, so that a single answer is all of the text. */
  #speaks(author: string): void {
    if (author === this.#speaker) return
    this.#speaker = author
    const name = plain(author || this.#agent)
    if (this.#speaking === undefined) this.#notes.push(name)
    else this.#say(`name of ${author}`, `${name}:`)
  }

  #noteTool(call: string, name: string, state: string): void {
    const words = plain(state === "" ? name : `${name}: ${state}`)
    if (this.#tools.get(call) === words) return
    this.#tools.set(call, words)
    this.#notes.push(words)
  }

  #say(part: string, text: string): void {
    if (text === "") return
    const isNext = this.#speaking !== undefined && this.#speaking !== part
    const gap = isNext ? (this.#tail.endsWith("\n") ? "\n" : "\n\n") : ""
    this.#speaking = part
    const shown = gap + plain(text)
    this.#text += shown
    this.#tail = shown
  }
}
