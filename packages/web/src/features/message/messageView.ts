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
 * Whether a reply is an attempt that was, or is being, retried: its turn still runs, or has a later reply (TRN-10).
 * Turns don't interleave, so the next reply decides. A reply interrupted by a restart is replaced in place (TRN-18), so
 * it is an attempt only while its turn runs.
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

/** A label for a message's state, where one is needed. */
export function stateWords(message: Pick<MessageRow, "role" | "state">, isAttempt = false): string | undefined {
  if (isAttempt && message.state === "truncated") return "Interrupted, being written again"
  if (isAttempt) return "Interrupted, continued below"
  switch (message.state) {
    case "truncated":
      return "Stopped by you"
    case "failed":
      return message.role === "agent" ? "This reply failed before it finished" : "This message failed"
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

/** Tool input and output: text as is, everything else as indented JSON. */
export function readable(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")
}

/** A short form of the input, next to the tool's name. */
export function glimpse(input: unknown): string {
  if (typeof input !== "object" || input === null) return ""
  const first = Object.values(input).find((value) => typeof value === "string" || typeof value === "number")
  return first === undefined ? "" : (String(first).split("\n", 1)[0]?.slice(0, 80) ?? "")
}

export type Kept = { readonly characters: number; readonly beginning: string }

/** The beginning of an output that is stored in full elsewhere (TRN-11). */
export function keptOf({ kept, output }: Pick<ToolPart, "kept" | "output">): Kept | undefined {
  if (kept === undefined || typeof output !== "object" || output === null || Array.isArray(output)) return undefined
  const { characters, beginning } = output
  return typeof characters === "number" && typeof beginning === "string" ? { characters, beginning } : undefined
}

/** The length of a text, in words. */
export function lengthWords(text: string): string {
  const words = text.match(/\S+/g)?.length ?? 0
  return words === 1 ? "1 word" : `${words.toLocaleString()} words`
}

/** The source of a message that nobody typed (TRG-1). Imported messages have none. */
export function originWords(trigger: MessageRow["trigger"]): string | undefined {
  if (trigger === null) return undefined
  const words = origins[trigger.source]
  return words === undefined || trigger.subject === null || trigger.subject === ""
    ? words
    : `${words}: ${trigger.subject}`
}

const origins: Readonly<Partial<Record<NonNullable<MessageRow["trigger"]>["source"], string>>> = {
  schedule: "From a schedule",
  webhook: "From a webhook",
  api: "From the API",
  "mcp-event": "From an MCP event",
  self: "Reminder set by the agent",
  spawn: "From another conversation",
  sidecar: "From a side chat",
}

/** A message's text, for copying. */
export function spokenText({ parts }: Pick<MessageRow, "parts">): string {
  return parts
    .flatMap((part) => (part.type === "text" ? [part.text.trim()] : []))
    .filter(Boolean)
    .join("\n\n")
}

/** Whether there is anything to show yet. A reply without content shows the thinking indicator. */
export function hasContent(message: Pick<MessageRow, "parts">): boolean {
  return message.parts.some((part) => !isBlank(part))
}

export function isBlank(part: Part): boolean {
  return (part.type === "text" || part.type === "reasoning") && part.text.trim() === ""
}
