/** The status of the conversation in one line. Pure; safe for a terminal. */
import type { LiveState } from "@parlor/client"
import type { StatusRow } from "@parlor/protocol"
import { plain } from "../plain.ts"

export type Standing = Pick<LiveState, "phase" | "connection" | "status" | "sending">

export function statusLine(standing: Standing, now: number): string {
  const { phase, connection, status, sending } = standing
  const onTheWay = sending.length === 0 ? [] : [`${sending.length} not delivered yet`]
  if (connection === "offline") return ["offline, reconnecting", ...onTheWay].join(" · ")
  if (phase === "loading" || status === null) return "connecting"
  return [stateWords(status, now), ...heldWords(status)].join(" · ")
}

function stateWords(status: StatusRow, now: number): string {
  switch (status.state) {
    case "idle":
      return "ready"
    case "busy":
      return `replying for ${seconds(now - status.since)} · Esc to stop`
    case "retrying":
      return plain(
        `retrying in ${seconds((status.retryAt ?? now) - now)} (attempt ${status.attempt ?? 1})${why(status)}`,
      )
    case "waiting":
      return "waiting for your answer"
    case "error":
      return plain(`failed${why(status)}${retryWords(status, now)}`)
  }
}

function heldWords({ held }: StatusRow): readonly string[] {
  if (held === null) return []
  const reasons = { stopped: "a turn was stopped", error: "a turn failed", asked: "by you" } as const
  return [`queue paused (${reasons[held.reason]}), /resume to continue`]
}

/** A failed message that will be retried automatically (QUE-20), unless the queue is paused. */
function retryWords({ again, held }: StatusRow, now: number): string {
  if (!again || (held !== null && held.until === undefined)) return ""
  return ` · trying again in ${seconds(again.at - now)}`
}

function why({ error }: StatusRow): string {
  return error === null ? "" : `: ${error.detail.split("\n")[0] ?? ""}`
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / 1_000))} s`
}
