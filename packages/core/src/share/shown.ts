/**
 * What a share shows of a row (SHR-3). Each field is copied by name, so that a field added later stays private until it is
 * listed here.
 *
 * Pure. A hidden part becomes an empty text: deltas name parts by their index.
 */
import {
  blankStatus,
  type DeltaRow,
  type MessageRow,
  newMessage,
  type Part,
  parseRow,
  type ShareView,
  type StatusRow,
  type StoredChange,
  type ToolPart,
  unreachable,
} from "@parlor/protocol"

export type Shows = ShareView["shows"]

const HIDDEN: Part = { type: "text", text: "" }
/** Memory is never shared, even with the details of tool calls. */
const MEMORY_TOOL = /^memory_/

/**
 * A change of the log as a live share shows it; undefined if it shows nothing of it.
 *
 * A rollback is not among them: messages that were sent cannot be taken back, so whoever follows starts over (SHR-5).
 */
export function shownChange(change: StoredChange, shows: Shows): StoredChange | undefined {
  const value = shownValue(change, shows)
  return value === undefined ? undefined : { ...change, value }
}

function shownValue({ collection, value }: StoredChange, shows: Shows): string | undefined {
  if (collection === "messages") return JSON.stringify(shownMessage(parseRow("messages", value), shows))
  if (collection === "status") return JSON.stringify(shownStatus(parseRow("status", value)))
  if (collection !== "deltas") return undefined
  return isShownDelta(parseRow("deltas", value), shows) ? value : undefined
}

export function shownMessage(message: MessageRow, shows: Shows): MessageRow {
  const { id, ord, role, author, state, parts, at } = message
  return newMessage({
    id,
    ord,
    role,
    // The author of a person's message is a person.
    author: role === "agent" ? author : "",
    state,
    parts: parts.map((part) => shownPart(part, shows)),
    at,
  })
}

export function shownStatus({ state, title, activityAt, since }: StatusRow): StatusRow {
  return { ...blankStatus, state: state === "error" ? "idle" : state, title, activityAt, since }
}

export function isShownDelta({ kind }: DeltaRow, { details }: Shows): boolean {
  return kind === "text" || details
}

function shownPart(part: Part, shows: Shows): Part {
  switch (part.type) {
    case "text":
    case "attachment":
      return part
    case "reasoning":
      return shows.details ? part : HIDDEN
    case "tool":
      return shownTool(part, shows)
    case "notice":
      return { type: "notice", code: part.code, text: part.text }
    // Memory, skills and other material for the model.
    case "context":
      return HIDDEN
    default:
      return unreachable(part)
  }
}

/** Without its details, only which tool was used, and whether it is done. */
function shownTool(part: ToolPart, { details }: Shows): ToolPart {
  const { type, call, name, state } = part
  if (details && !MEMORY_TOOL.test(name)) {
    const { input, output, error, foreign } = part
    return { type, call, name, state, input, output, error, ...(foreign === undefined ? {} : { foreign }) }
  }
  return { type, call, name, state, input: null, output: null, error: null }
}
