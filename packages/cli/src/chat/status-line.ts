/** How the conversation stands, in one line. Pure; safe for a terminal. */
import type { LiveState } from "@parlor/client"
import type { StatusRow } from "@parlor/protocol"
import { plain } from "../plain.ts"

export type Standing = Pick<LiveState, "phase" | "connection" | "status" | "sending">

export function statusLine(standing: Standing, now: number): string {
  const { phase, connection, status, sending } = standing
  const onTheWay = sending.length === 0 ? [] : [`${sending.length} not delivered yet`]
  if (connection === "offline") return ["offline, trying to reach the server", ...onTheWay].join(" · ")
  if (phase === "loading" || status === null) return "connecting"
  return [stateWords(status, now), ...heldWords(status)].join(" · ")
}

function stateWords(status: StatusRow, now: number): string {
  switch (status.state) {
    case "idle":
      return "ready"
    case "busy":
      return `answering ${seconds(now - status.since)} · Esc stops it`
    case "retrying":
      return plain(
        `trying again in ${seconds((status.retryAt ?? now) - now)} (attempt ${status.attempt ?? 1})${why(status)}`,
      )
    case "waiting":
      return "waiting for your answer"
    case "error":
      return plain(`failed${why(status)}`)
  }
}

function heldWords({ held }: StatusRow): readonly string[] {
  if (held === null) return []
  const reasons = { stopped: "a turn was stopped", error: "a turn failed", asked: "held by hand" } as const
  return [`queue held (${reasons[held.reason]}), /resume lets it go on`]
}

function why({ error }: StatusRow): string {
  return error === null ? "" : `: ${error.detail.split("\n")[0] ?? ""}`
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / 1_000))} s`
}
