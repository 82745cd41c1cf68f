/** A live conversation as lines of text. Pure; its output is safe for a terminal. */
import type {
  ChangeEvent,
  MessageRow,
  Operation,
  Part,
  QueueRow,
  RollbackRow,
  StatusRow,
  TurnRow,
} from "@parlor/protocol"
import { STARTS_OVER } from "./answer.ts"
import { plain } from "./plain.ts"
import { shortened, textOf } from "./queue-lines.ts"
import { senderOf } from "./sender.ts"
import { Spoken } from "./spoken.ts"

export type TranscriptOptions = {
  readonly agent: string
  readonly person: string
  /** Formats a speaker's name. */
  readonly emphasis?: (name: string) => string
}

/** Before every line of a message. */
export const INDENT = "  "
const QUEUED_LENGTH = 60

export class Transcript {
  readonly #options: TranscriptOptions
  readonly #spoken = new Spoken()
  readonly #messages = new Map<string, MessageRow>()
  readonly #tools = new Map<string, string>()
  #out = ""
  /** Who spoke last, and the part that the last line belongs to. */
  #speaker = ""
  #part = ""
  #tail = "\n"

  constructor(options: TranscriptOptions) {
    this.#options = options
  }

  /** Existing messages. Rolled back ones are only counted. */
  history(messages: readonly MessageRow[]): string {
    return this.#collect(() => {
      let dimmed = 0
      for (const message of messages) {
        if (!message.dimmed) this.#tellDimmed(dimmed)
        dimmed = message.dimmed ? dimmed + 1 : 0
        if (!message.dimmed) this.#takeMessage(message)
      }
      this.#tellDimmed(dimmed)
    })
  }

  read(changes: readonly ChangeEvent[]): string {
    return this.#collect(() => {
      for (const change of changes) this.#take(change)
    })
  }

  /** A note about the conversation, on its own line. */
  note(words: string): string {
    return this.#collect(() => this.#line(words))
  }

  /** The missing newline after the last text. */
  end(): string {
    return this.#collect(() => this.#put(this.#endLine()))
  }

  #collect(run: () => void): string {
    this.#out = ""
    run()
    return this.#out
  }

  #take(change: ChangeEvent): void {
    if (change.type === "messages") this.#takeMessage(change.value)
    else if (change.type === "turns") this.#takeTurn(change.value)
    else if (change.type === "status") this.#takeStatus(change.value)
    else if (change.type === "rollbacks") this.#takeRollback(change.value, change.headers.operation)
    else if (change.type === "queue" && change.headers.operation === "insert") this.#takeQueued(change.value)
    else if (change.type === "deltas" && change.value.kind === "text") {
      const message = this.#messages.get(change.value.message)
      const text = this.#spoken.delta(change.value)
      if (message) this.#say(message, change.value.part, text)
    }
  }

  #takeMessage(message: MessageRow): void {
    this.#messages.set(message.id, message)
    if (this.#spoken.startsOver(message)) this.#line(STARTS_OVER)
    message.parts.forEach((part, index) => {
      if (part.type === "text") this.#say(message, index, this.#spoken.rest(message, index))
      else this.#mention(message, index, part)
    })
    if (message.state !== "streaming") this.#messages.delete(message.id)
  }

  #tellDimmed(count: number): void {
    if (count > 0) this.#line(`${count} ${count === 1 ? "message" : "messages"} rolled back`)
  }

  #takeRollback({ cancels, ended }: RollbackRow, operation: Operation): void {
    if (ended !== null) this.#line("a rollback was canceled")
    else if (operation === "insert")
      this.#line(cancels === null ? "rolled back" : "the messages after that rollback are rolled back instead")
  }

  #takeTurn(turn: TurnRow): void {
    const words = turnWords(turn)
    if (words !== undefined) this.#line(words)
  }

  #takeStatus(status: StatusRow): void {
    if (status.state === "retrying") this.#line(`retrying (attempt ${status.attempt ?? 1})`)
    if (status.state === "waiting") this.#line("waiting for an answer")
  }

  #takeQueued(queued: QueueRow): void {
    this.#line(`queued: ${shortened(textOf(queued), QUEUED_LENGTH)}`)
  }

  #mention(message: MessageRow, index: number, part: Part): void {
    const words = wordsFor(part)
    if (words === undefined) return
    const key = part.type === "tool" ? part.call : `${message.id}/${index}`
    if (this.#tools.get(key) === words) return
    this.#tools.set(key, words)
    this.#begin(message)
    this.#put(`${this.#endLine()}${INDENT}· ${indent(words)}\n`)
    this.#part = ""
  }

  #say(message: MessageRow, index: number, text: string): void {
    if (text === "") return
    this.#begin(message)
    const part = `${message.id}/${index}`
    if (this.#part !== part) this.#put(this.#endLine())
    this.#part = part
    const start = this.#tail.endsWith("\n") && !text.startsWith("\n") ? INDENT : ""
    this.#put(start + indent(text))
  }

  #begin(message: MessageRow): void {
    const { agent, person, emphasis = (name) => name } = this.#options
    const sender = senderOf(message, { agent, person })
    const speaker = `${message.role} ${message.turn} ${sender}`
    if (this.#speaker === speaker) return
    const gap = this.#speaker === "" ? "" : "\n"
    this.#speaker = speaker
    this.#part = ""
    this.#put(`${this.#endLine()}${gap}${emphasis(plain(sender))}\n`)
  }

  #line(words: string): void {
    this.#put(`${this.#endLine()}· ${indent(words)}\n`)
    this.#part = ""
  }

  #endLine(): string {
    return this.#tail.endsWith("\n") ? "" : "\n"
  }

  #put(text: string): void {
    if (text === "") return
    this.#out += text
    this.#tail = text
  }
}

/** How a turn ended, if it is worth a note. */
export function turnWords(turn: TurnRow): string | undefined {
  if (turn.endedAt === null || turn.state === "done") return undefined
  return turn.error ? `${turn.state}: ${turn.error.detail}` : turn.state
}

function indent(text: string): string {
  return plain(text).replace(/\n(?=[^\n])/g, `\n${INDENT}`)
}

function wordsFor(part: Part): string | undefined {
  if (part.type === "tool") return part.error ? `${part.name}: ${part.error.detail}` : `${part.name}: ${part.state}`
  if (part.type === "notice") return part.text
  if (part.type === "context" && part.kind === "sidecar")
    return `from the side chat ${part.title}: ${shortened(part.content, QUEUED_LENGTH)}`
  if (part.type === "attachment") return `attached ${part.name}`
  return undefined
}
