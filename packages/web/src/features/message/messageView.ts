/** What a message shows, from its row alone. */
import { type MessageRow, type Part, type ToolPart, unreachable } from "@parlor/protocol"

type Authored = Pick<MessageRow, "role" | "author">

/** The name to put on a message. An empty author means the conversation's own person or agent. */
export function authorName(message: Authored, agent: string): string {
  if (message.role === "person") return message.author === "" ? "You" : message.author
  return message.author === "" ? agent : message.author
}

/** A name is shown when it changes: several messages in a row from one author read as one. */
export function opensGroup(message: Authored, before: Authored | undefined): boolean {
  return before === undefined || before.role !== message.role || before.author !== message.author
}

/**
 * Whether a failed reply was one attempt of an answer that was, or is being, tried again: its turn still runs, or said
 * something after it (TRN-10).
 */
export function isBrokenAttempt(
  message: Pick<MessageRow, "role" | "state" | "turn">,
  later: readonly Pick<MessageRow, "role" | "turn">[],
  running: string | null,
): boolean {
  if (message.state !== "failed" || message.role !== "agent" || message.turn === null) return false
  return message.turn === running || later.some(({ role, turn }) => role === "agent" && turn === message.turn)
}

/** What is worth saying in words about a message's state. */
export function stateWords(message: Pick<MessageRow, "role" | "state">, isAttempt = false): string | undefined {
  if (isAttempt) return "This attempt broke off; it was tried again"
  switch (message.state) {
    case "truncated":
      return "This reply was cut short"
    case "failed":
      return message.role === "agent" ? "This reply failed before it was finished" : "This message failed"
    case "streaming":
    case "done":
      return undefined
    default:
      return unreachable(message.state)
  }
}

export function toolWords(state: ToolPart["state"]): string {
  switch (state) {
    case "waiting":
      return "waiting"
    case "started":
      return "running"
    case "done":
      return "done"
    case "failed":
      return "failed"
    case "unknown":
      return "outcome unknown"
    default:
      return unreachable(state)
  }
}

/** Tool input and output for reading: text as it is, everything else as indented JSON. */
export function readable(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")
}

/** Input in a few words, to stand beside a tool's name. */
export function glimpse(input: unknown): string {
  if (typeof input !== "object" || input === null) return ""
  const first = Object.values(input).find((value) => typeof value === "string" || typeof value === "number")
  return first === undefined ? "" : (String(first).split("\n", 1)[0]?.slice(0, 80) ?? "")
}

/** Whether there is anything to see yet. A reply that has begun and said nothing shows as being thought about. */
export function hasContent(message: Pick<MessageRow, "parts">): boolean {
  return message.parts.some((part) => !isBlank(part))
}

export function isBlank(part: Part): boolean {
  return (part.type === "text" || part.type === "reasoning") && part.text.trim() === ""
}
