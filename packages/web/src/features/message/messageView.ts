/** What a message shows, from its row alone. */
import { type MessageRow, type Part, type ToolPart, unreachable } from "@parlor/protocol"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/message.ts"
import type { PlainKey } from "../../texts/texts.ts"

type Authored = Pick<MessageRow, "role" | "author">

/** The name to put on a message. An empty author means the conversation's own person or agent. */
export function authorName(message: Authored, agent: string): string {
  if (message.role === "person") return message.author === "" ? common("you") : message.author
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
  if (isAttempt && message.state === "truncated") return t("interruptedBeingWrittenAgain")
  if (isAttempt) return t("interruptedContinuedBelow")
  switch (message.state) {
    case "truncated":
      return t("stoppedByYou")
    case "failed":
      return message.role === "agent" ? t("thisReplyFailedBeforeIt") : t("thisMessageFailed")
    case "streaming":
    case "done":
      return undefined
    default:
      return unreachable(message.state)
  }
}

/** A person's no is not a failure. */
export function isDenied({ error }: Pick<ToolPart, "error">): boolean {
  return error?.code === "tool.refused"
}

export function toolWords(part: Pick<ToolPart, "state" | "error">): string {
  if (isDenied(part)) return t("denied")
  const { state } = part
  switch (state) {
    case "waiting":
      return t("waiting")
    case "started":
      return t("running")
    case "done":
      return t("done")
    case "failed":
      return t("failed")
    case "unknown":
      return t("outcomeUnknown")
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

const LONG_CHARS = 2_000
const LONG_LINES = 30

/** Whether a person's text is collapsed: usually it was pasted. */
export function isLong(text: string): boolean {
  return text.length > LONG_CHARS || text.split("\n", LONG_LINES + 1).length > LONG_LINES
}

/** The length of a text, in words. */
export function lengthWords(text: string): string {
  const words = text.match(/\S+/g)?.length ?? 0
  return t("wordCount", { count: words })
}

/** The source of a message that nobody typed (TRG-1). Imported messages have none. */
export function originWords(trigger: MessageRow["trigger"]): string | undefined {
  if (trigger === null) return undefined
  const key = origins[trigger.source]
  const words = key && t(key)
  return words === undefined || trigger.subject === null || trigger.subject === ""
    ? words
    : `${words}: ${trigger.subject}`
}

const origins: Readonly<Partial<Record<NonNullable<MessageRow["trigger"]>["source"], PlainKey<typeof t>>>> = {
  schedule: "fromASchedule",
  webhook: "fromAWebhook",
  api: "fromTheApi",
  "mcp-event": "fromAnMcpEvent",
  agent: "fromAnotherAgent",
  observation: "fromSomethingTheAgentObserves",
  self: "reminderSetByTheAgent",
  spawn: "fromAnotherConversation",
  sidecar: "fromASideChat",
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
