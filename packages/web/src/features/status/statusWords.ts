/** The text of the status line. */
import { type AskRow, type StatusRow, unreachable } from "@parlor/protocol"
import { t } from "../../texts/en/status.ts"
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
  /** Whether the browser has a network. */
  readonly isOnline?: boolean
  /** How many messages could not be delivered yet. */
  readonly undelivered?: number
  /** How many messages wait in the queue. */
  readonly queued: number
  /** The open asks of the turn. */
  readonly asks?: readonly Pick<AskRow, "kind">[]
  /** Set when the conversation can't be shown at all and a retry would not help. */
  readonly failure?: Note | null
}

export function statusWords(agent: string, shown: Shown): StatusWords {
  const { status, connection, isOnline = true, queued, undelivered = 0, asks, failure } = shown
  if (failure) return { tone: "bad", text: problemWords(failure).title }
  if (!isOnline) return { tone: "warn", text: t("offline") }
  if (connection === "offline") return { tone: "warn", text: t("connectionLostReconnecting") }
  // A conversation that is live without a status is created with its first message (ADR-12).
  if (!status && connection === "live")
    return undelivered > 0 ? { tone: "warn", text: t("notDeliveredYet") } : { tone: "calm", text: t("ready") }
  if (connection === "connecting" || !status) return { tone: "warn", text: t("connecting") }
  if (undelivered > 0 && status.state === "idle") return { tone: "warn", text: t("notDeliveredYet") }
  return turnWords(agent, status, queued, asks?.[0])
}

function turnWords(agent: string, status: Status, queued: number, ask: Pick<AskRow, "kind"> | undefined): StatusWords {
  switch (status.state) {
    case "busy":
      return { tone: "busy", text: busyWords(agent, status.busyWith) }
    case "retrying":
      return retryWords(status)
    case "waiting":
      return { tone: "warn", text: t(ask?.kind === "approval" ? "needsApproval" : "needsAnswer", { agent }) }
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
      return t("summarizingOlderMessages")
    case "rollback":
      return t("rollingBack")
    case "turn":
    case null:
      return t("agentIsReplying", { agent })
    default:
      return unreachable(busyWith)
  }
}

/** A held queue matters only when it has messages. */
function heldWords(held: Status["held"], queued: number): StatusWords {
  if (held === null) return { tone: "calm", text: t("ready") }
  if (queued === 0) return { tone: "calm", text: held.reason === "stopped" ? t("stopped") : t("ready") }
  return { tone: "warn", text: held.reason === "stopped" ? t("stoppedQueuePaused") : t("queuePaused") }
}

/** A message from a trigger is tried again later (QUE-20), unless you paused the queue. */
function errorWords({ error, again, held }: Status): StatusWords {
  const { title } = problemWords(error)
  if (!again || (held !== null && held.until === undefined)) return { tone: "bad", text: title }
  return { tone: "bad", text: t("titleTryingAgain", { title }), until: again.at }
}

function retryWords({ attempt, retryAt }: Status): StatusWords {
  const text = attempt === null ? t("theModelDidntAnswerRetrying") : t("retryingAttemptAttempt", { attempt })
  return { tone: "warn", text, ...(retryAt === null ? {} : { until: retryAt }) }
}
