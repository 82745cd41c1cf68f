/**
 * What the clients did and what they were told. It is compared with the log.
 *
 * Only responses that a client received count. A request whose connection broke may or may not have happened; both are
 * correct, as long as a repeat with the same key results in exactly one message.
 */
import type { Sent } from "@parlor/protocol"
import type { RawEvent } from "./raw-events.ts"
import type { Answer, Conversation, SendInput } from "./wire.ts"

export type Sending = {
  readonly conversation: Conversation
  readonly input: SendInput
  /** One per attempt, all with the same key. */
  readonly answers: Answer<Sent>[]
}

export type Stopping = {
  readonly conversation: Conversation
  readonly turn: string
  readonly answer: Answer<{ readonly turn: string; readonly state: string }>
}

export type Place = { readonly name: string; readonly conversation: Conversation; readonly last: number }

export class History {
  readonly sends: Sending[] = []
  readonly stops: Stopping[] = []
  /** The events shown to any reader, by number. */
  readonly seen = new Map<Conversation, Map<number, string>>()
  /** Violations found while reading. */
  readonly violations: string[] = []

  see(place: Place, raw: RawEvent): void {
    const { name, conversation, last } = place
    if (raw.seq !== last + 1)
      this.violations.push(`[LOG-6] ${name} of ${conversation} was shown ${raw.seq} after ${last}`)
    const known = this.seen.get(conversation) ?? new Map<number, string>()
    this.seen.set(conversation, known)
    const before = known.get(raw.seq)
    if (before !== undefined && before !== raw.text)
      this.violations.push(`[LOG-6] ${conversation} ${raw.seq} was shown as ${before} and then as ${raw.text}`)
    known.set(raw.seq, raw.text)
  }

  get attempts(): { readonly all: number; readonly ok: number } {
    const answers = [...this.sends.flatMap((sending) => sending.answers), ...this.stops.map((stop) => stop.answer)]
    return { all: answers.length, ok: answers.filter((answer) => answer.outcome === "ok").length }
  }
}

export function acknowledged(sending: Sending): Sent[] {
  return sending.answers.flatMap((answer) => (answer.outcome === "ok" ? [answer.value] : []))
}
