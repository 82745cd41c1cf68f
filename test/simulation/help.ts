/** What a person does who wants everything to go on. */
import type { Command } from "./command.ts"
import type { Conversation } from "./conversation.ts"

export function isAtRest(it: Conversation): boolean {
  const isIdle = it.status === undefined || (it.status.state === "idle" && it.status.again === null)
  return isIdle && it.rows.queue.size === 0 && it.ops.every((op) => op.outcome !== "pending")
}

export function helpWith(it: Conversation): Command[] {
  const help: Command[] = []
  for (const ask of it.rows.asks.values())
    if (ask.state === "open")
      help.push({ kind: "answer", ask: ask.id, answer: ask.kind === "approval" ? true : (ask.options?.[0] ?? "yes") })
  for (const row of it.queue)
    if (row.mode === "paused")
      help.push({ kind: "edit", message: row.id, body: { mode: "queued", version: row.version } })
  if (it.status?.held || it.status?.state === "error") help.push({ kind: "resume" })
  if (it.status?.state === "error" && it.queue.length === 0)
    help.push({ kind: "send", text: `${it.name} again`, mode: "immediate" })
  return help
}
