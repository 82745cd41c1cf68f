/** Describes a change of a conversation in a few words. Pure. */
import type {
  ArchiveRow,
  AskRow,
  BranchRow,
  ChangeRow,
  MessageRow,
  QueueRow,
  RollbackRow,
  SlashCommandRow,
  StatusRow,
  StoredChange,
  TurnRow,
} from "@parlor/protocol"

/** `before`: the previous row, if known. Empty if the change shows nothing new. */
export function changeWords({ collection, key, operation }: Named, row: unknown, before: unknown): string {
  switch (collection) {
    case "deltas":
    case "files":
      return ""
    case "status":
      return statusWords(row as StatusRow, before as StatusRow | undefined)
    case "turns":
      return turnWords(row as TurnRow, before as TurnRow | undefined)
    case "messages":
      return messageWords(row as MessageRow, before as MessageRow | undefined)
    case "queue":
      return queueWords(row as QueueRow, operation)
    case "asks":
      return askWords(row as AskRow)
    case "archives": {
      const { title, tokensBefore, tokensAfter, ended } = row as ArchiveRow
      return ended === null ? `summed up: ${title} (${tokensBefore} → ${tokensAfter} tokens)` : `undone: ${title}`
    }
    case "changes": {
      const { path, before: was, after, by } = row as ChangeRow
      return `file ${path} ${was === null ? "created" : after === null ? "deleted" : "changed"} by ${by}`
    }
    case "slashCommands":
      return `command /${(row as SlashCommandRow).name} ${operation === "delete" ? "removed" : "added"}`
    case "rollbacks":
      return (row as RollbackRow).ended === null ? "rolled back" : "rollback cancelled"
    case "branches":
      return `branch ${(row as BranchRow).branch} ${operation === "delete" ? "deleted" : "created"}`
    default:
      return `${collection} ${key} ${operation}`
  }
}

type Named = Pick<StoredChange, "collection" | "key" | "operation">

function statusWords(now: StatusRow, before: StatusRow | undefined): string {
  const state = stateWords(now)
  if (before !== undefined && state === stateWords(before)) return ""
  return before === undefined ? state : `${stateWords(before)} → ${state}`
}

function stateWords({ state, busyWith, attempt, held }: StatusRow): string {
  const doing = state === "busy" && busyWith !== null && busyWith !== "turn" ? `busy with ${busyWith}` : state
  const tried = attempt === null ? doing : `${doing}, try ${attempt}`
  return held === null ? tried : `${tried}, queue held`
}

function turnWords(now: TurnRow, before: TurnRow | undefined): string {
  if (before === undefined) return now.guest === null ? "turn began" : `turn of ${now.guest} began`
  if (now.endedAt !== null) return `turn ${now.state}${now.error === null ? "" : `: ${now.error.detail}`}`
  return now.steps > before.steps ? `step ${now.steps} saved` : ""
}

function messageWords(now: MessageRow, before: MessageRow | undefined): string {
  if (now.role === "person") return before === undefined ? "message joined the turn" : contextWords(now, before)
  const tools = now.parts.flatMap((part) => {
    if (part.type !== "tool") return []
    const was = before?.parts.find((one) => one.type === "tool" && one.call === part.call)
    return was?.type === "tool" && was.state === part.state ? [] : [`tool ${part.name} ${part.state}`]
  })
  if (tools.length > 0) return tools.join(", ")
  if (now.state === "streaming") return before === undefined ? "started replying" : ""
  return before?.state === now.state ? "" : now.state === "done" ? "said" : `said, ${now.state}`
}

function contextWords(now: MessageRow, before: MessageRow): string {
  const added = now.parts.slice(before.parts.length)
  return added.flatMap((part) => (part.type === "context" ? [`context inserted: ${part.title}`] : [])).join(", ")
}

function queueWords(row: QueueRow, operation: StoredChange["operation"]): string {
  if (operation === "insert") return row.mode === "steer" ? "message queued to steer" : "message queued"
  return operation === "delete" ? "message left the queue" : "queued message changed"
}

function askWords({ kind, title, state, answeredBy }: AskRow): string {
  if (state === "open") return `asked (${kind}): ${title}`
  return answeredBy === null ? `ask ${state}` : `ask ${state} by ${answeredBy}`
}
