/** What the status line says, from plain values. */
import { type StatusRow, unreachable } from "@parlor/protocol"
import { type Note, problemWords } from "./problemWords.ts"

export type Connection = "connecting" | "live" | "offline"
export type Tone = "calm" | "busy" | "warn" | "bad"
export type StatusWords = { readonly tone: Tone; readonly text: string }
type Status = Pick<StatusRow, "state" | "busyWith" | "held" | "attempt" | "error">

export type Shown = {
  readonly status: Status | null | undefined
  readonly connection: Connection
  /** How many messages wait in the queue. */
  readonly queued: number
  /** Set when the conversation cannot be shown at all; asking again would not help. */
  readonly failure?: Note | null
}

export function statusWords(agent: string, { status, connection, queued, failure }: Shown): StatusWords {
  if (failure) return { tone: "bad", text: problemWords(failure).title }
  if (connection === "offline") return { tone: "warn", text: "Connection lost. Reconnecting…" }
  if (connection === "connecting" || !status) return { tone: "warn", text: "Connecting…" }
  return turnWords(agent, status, queued)
}

function turnWords(agent: string, status: Status, queued: number): StatusWords {
  switch (status.state) {
    case "busy":
      return { tone: "busy", text: busyWords(agent, status.busyWith) }
    case "retrying":
      return { tone: "warn", text: `The model did not answer. Trying again${attemptWords(status.attempt)}…` }
    case "waiting":
      return { tone: "warn", text: `${agent} waits for your answer` }
    case "error":
      return { tone: "bad", text: problemWords(status.error).title }
    case "idle":
      return heldWords(status.held, queued)
    default:
      return unreachable(status.state)
  }
}

function busyWords(agent: string, busyWith: Status["busyWith"]): string {
  switch (busyWith) {
    case "compaction":
      return "Making room: summing up the older messages…"
    case "rollback":
      return "Rolling back…"
    case "turn":
    case null:
      return `${agent} is writing…`
    default:
      return unreachable(busyWith)
  }
}

/** A hold matters to a person when something is held. */
function heldWords(held: Status["held"], queued: number): StatusWords {
  if (held === null) return { tone: "calm", text: "Ready" }
  if (queued === 0) return { tone: "calm", text: held.reason === "stopped" ? "Stopped" : "Ready" }
  switch (held.reason) {
    case "stopped":
      return { tone: "warn", text: "Stopped. The queue waits until you send again" }
    case "error":
      return { tone: "warn", text: "The queue waits after an error, until you send again" }
    case "asked":
      return { tone: "warn", text: "The queue is held" }
    default:
      return unreachable(held.reason)
  }
}

function attemptWords(attempt: number | null): string {
  return attempt === null ? "" : ` (attempt ${attempt})`
}
