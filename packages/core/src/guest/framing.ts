/**
 * The conversation as the next speaker sees it (GST-3). Pure.
 *
 * Its own messages are its own. What every other agent said appears on the person's side, under that agent's name; a
 * guest, which has no tools, reads about used tools as text. None of this is stored.
 */
import type { MessageRow, Part, ToolPart } from "@parlor/protocol"
import { type Attached, BETWEEN, lowerPerson } from "../composer/lower.ts"
import type { ModelAttachment } from "../ports/model.ts"
import { isBlank, type Piece } from "../text/tags.ts"

/** The next speaker. `author` is empty for the conversation's own agent, which is `host`. */
export type Listener = { readonly author: string; readonly host: string; readonly attached?: Attached }

export type Heard =
  | { readonly by: "person"; readonly pieces: readonly Piece[]; readonly attachments: readonly ModelAttachment[] }
  /** `message`: where the parts are from, if they are all of its parts. */
  | { readonly by: "self"; readonly parts: readonly Part[]; readonly message?: MessageRow }
  | { readonly by: "other"; readonly name: string; readonly text: string }

/** Maximum length of a tool's input and output when shown as text. */
const TOLD_INPUT_CHARS = 200
const TOLD_OUTPUT_CHARS = 1_000

/** In conversation order; empty messages are left out, and consecutive messages of a person are merged. */
export function heardBy(listener: Listener, messages: readonly MessageRow[]): readonly Heard[] {
  const heard: Heard[] = []
  for (const message of messages) {
    const one = hears(listener, message)
    if (one.by === "other" && one.text.trim() === "") continue
    if (one.by === "person" && isBlank(one.pieces)) continue
    const last = heard.at(-1)
    if (one.by === "person" && last?.by === "person") {
      const attachments = [...last.attachments, ...one.attachments]
      heard[heard.length - 1] = { by: "person", pieces: [...last.pieces, BETWEEN, ...one.pieces], attachments }
    } else heard.push(one)
  }
  return heard
}

/** What an agent said and did, as text. */
export function toldText(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => (part.type === "text" ? [part.text] : part.type === "tool" ? told(part) : []))
    .join("\n")
}

function hears({ author, host, attached }: Listener, message: MessageRow): Heard {
  if (message.role === "person") return { by: "person", ...lowerPerson(message, attached) }
  const name = message.author || host
  if (name !== (author || host)) return { by: "other", name, text: toldText(message.parts) }
  if (author === "") return { by: "self", parts: message.parts, message }
  return { by: "self", parts: message.parts.filter((part) => part.type !== "tool") }
}

/** A pending call is not shown. */
function told(part: ToolPart): readonly string[] {
  if (part.state === "waiting") return []
  const input = cut(JSON.stringify(part.input), TOLD_INPUT_CHARS)
  return [`[used ${part.name} ${input}: ${cut(outcome(part), TOLD_OUTPUT_CHARS)}]`]
}

function outcome(part: ToolPart): string {
  if (part.state === "done") return typeof part.output === "string" ? part.output : JSON.stringify(part.output)
  return part.state === "failed" ? `it failed. ${part.error?.detail ?? ""}`.trim() : "the outcome is unknown"
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`
}
