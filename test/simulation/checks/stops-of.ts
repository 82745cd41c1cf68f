/** Who may have stopped a turn. What was answered "later", or lost, may yet be carried out. */
import { isRefused, type OnQueue, type Op } from "../command.ts"
import type { Conversation } from "../conversation.ts"

/** Stops by people, and a budget that was not raised; not those by which another message was sent now. */
export function stopsOf(it: Conversation, turn: string, now: number): readonly (Op | "budget")[] {
  const stops = it.opsOf("stop").filter((op) => mayAct(op, now) && (op.command.turn ?? turn) === turn)
  const spent = [...it.rows.asks.values()].some(
    (ask) => ask.turn === turn && (ask.call?.startsWith("budget") ?? false) && ask.answer !== true,
  )
  return spent ? [...stops, "budget"] : stops
}

export function hasSendNow(it: Conversation, now: number): boolean {
  return it.opsOf("send-now").some((op) => mayAct(op, now))
}

export function onQueueOf(stop: Op | "budget", usual: OnQueue | undefined): OnQueue {
  if (stop === "budget" || stop.command.kind !== "stop") return "hold"
  return stop.command.onQueue ?? usual ?? "hold"
}

function mayAct(op: Op, now: number): boolean {
  if (isRefused(op)) return false
  return op.outcome !== "ok" || op.answeredAt >= now
}
