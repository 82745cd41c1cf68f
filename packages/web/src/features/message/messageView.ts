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
 * Whether a reply was one attempt of an answer that was, or is being, tried again: its turn still runs, or said something
 * after it (TRN-10). Turns follow one another, so the next reply tells. One that a restart interrupted is replaced in its
 * place (TRN-18), so it is an attempt only while its turn runs.
 */
export function isBrokenAttempt(
  messages: readonly Pick<MessageRow, "role" | "state" | "turn">[],
  index: number,
  running: string | null,
): boolean {
  const message = messages[index]
  if (message === undefined || message.role !== "agent" || message.turn === null) return false
  if (message.state === "truncated") return message.turn === running
  if (message.state !== "failed") return false
  if (message.turn === running) return true
  for (let later = index + 1; later < messages.length; later++)
    if (messages[later]?.role === "agent") return messages[later]?.turn === message.turn
  return false
}

/** What is worth saying in words about a message's state. */
export function stateWords(message: Pick<MessageRow, "role" | "state">, isAttempt = false): string | undefined {
  if (isAttempt && message.state === "truncated") return "This reply was interrupted and is being written again"
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

export type Kept = { readonly characters: number; readonly beginning: string }

/** The beginning of an output of which the whole is kept elsewhere (TRN-11). */
export function keptOf({ kept, output }: Pick<ToolPart, "kept" | "output">): Kept | undefined {
  if (kept === undefined || typeof output !== "object" || output === null || Array.isArray(output)) return undefined
  const { characters, beginning } = output
  return typeof characters === "number" && typeof beginning === "string" ? { characters, beginning } : undefined
}

/** How long something is, for whoever wonders whether to open it. */
export function lengthWords(text: string): string {
  const words = text.match(/\S+/g)?.length ?? 0
  return words === 1 ? "1 word" : `${words.toLocaleString()} words`
}

/** Where a message came from that nobody typed (TRG-1); what was imported is part of the conversation like any other. */
export function originWords(trigger: MessageRow["trigger"]): string | undefined {
  if (trigger === null) return undefined
  const words = origins[trigger.source]
  return words === undefined || trigger.subject === null || trigger.subject === ""
    ? words
    : `${words}: ${trigger.subject}`
}

const origins: Readonly<Partial<Record<NonNullable<MessageRow["trigger"]>["source"], string>>> = {
  schedule: "On schedule",
  webhook: "By webhook",
  api: "By API",
  "mcp-event": "By MCP event",
  self: "A reminder it set itself",
  spawn: "From another conversation",
  sidecar: "From a conversation on the side",
}

/** What a message says, as it was written: what is copied from it. */
export function spokenText({ parts }: Pick<MessageRow, "parts">): string {
  return parts
    .flatMap((part) => (part.type === "text" ? [part.text.trim()] : []))
    .filter(Boolean)
    .join("\n\n")
}

/** Whether there is anything to see yet. A reply that has begun and said nothing shows as being thought about. */
export function hasContent(message: Pick<MessageRow, "parts">): boolean {
  return message.parts.some((part) => !isBlank(part))
}

export function isBlank(part: Part): boolean {
  return (part.type === "text" || part.type === "reasoning") && part.text.trim() === ""
}
