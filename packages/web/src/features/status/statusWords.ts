/** The text of the status line. */
import { type AskRow, type StatusRow, unreachable } from "@parlor/protocol"
import { type Note, problemWords } from "./problemWords.ts"

type Connection = "connecting" | "live" | "offline"
export type Tone = "calm" | "busy" | "warn" | "bad"
export type StatusWords = {
  readonly tone: Tone
  readonly text: string
  /** When set, a countdown follows the text. */
  readonly until?: number
}
type Status = Pick<StatusRow, "state" | "busyWith" | "held" | "attempt" | "retryAt" | "error"> &
  Partial<Pick<StatusRow, "again">>

export type Shown = {
  readonly status: Status | null | undefined
  readonly connection: Connection
  /** How many messages wait in the queue. */
  readonly queued: number
  /** The open asks of the turn. */
  readonly asks?: readonly Pick<AskRow, "kind">[]
  /** Set when the conversation can't be shown at all and a retry would not help. */
  readonly failure?: Note | null
}

export function statusWords(agent: string, { status, connection, queued, asks, failure }: Shown): StatusWords {
  if (failure) return { tone: "bad", text: problemWords(failure).title }
  if (connection === "offline") return { tone: "warn", text: "Connection lost. Reconnecting…" }
  if (connection === "connecting" || !status) return { tone: "warn", text: "Connecting…" }
  return turnWords(agent, status, queued, asks?.[0])
}

function turnWords(agent: string, status: Status, queued: number, ask: Pick<AskRow, "kind"> | undefined): StatusWords {
  switch (status.state) {
    case "busy":
      return { tone: "busy", text: busyWords(agent, status.busyWith) }
    case "retrying":
      return retryWords(status)
    case "waiting":
      return { tone: "warn", text: `${agent} needs your ${ask?.kind === "approval" ? "approval" : "answer"}` }
    case "error":
      return errorWords(status)
    case "idle":
      return heldWords(status.held, queued)
    default:
      return unreachable(status.state)
  }
}

function busyWords(agent: string, busyWith: Status["busyWith"]): string {
  switch (busyWith) {
    case "compaction":
      return "Summarizing older messages…"
    case "rollback":
      return "Rolling back…"
    case "turn":
    case null:
      return `${agent} is replying…`
    default:
      return unreachable(busyWith)
  }
}

/** A held queue matters only when it has messages. */
function heldWords(held: Status["held"], queued: number): StatusWords {
  if (held === null) return { tone: "calm", text: "Ready" }
  if (queued === 0) return { tone: "calm", text: held.reason === "stopped" ? "Stopped" : "Ready" }
  return { tone: "warn", text: held.reason === "stopped" ? "Stopped. Queue paused" : "Queue paused" }
}

/** A message from a trigger is tried again later (QUE-20), unless you paused the queue. */
function errorWords({ error, again, held }: Status): StatusWords {
  const { title } = problemWords(error)
  if (!again || (held !== null && held.until === undefined)) return { tone: "bad", text: title }
  return { tone: "bad", text: `${title}. Trying again`, until: again.at }
}

function retryWords({ attempt, retryAt }: Status): StatusWords {
  const text = attempt === null ? "The model didn't answer. Retrying" : `Retrying, attempt ${attempt}`
  return { tone: "warn", text, ...(retryAt === null ? {} : { until: retryAt }) }
}
