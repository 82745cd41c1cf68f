/** How much of everything there was in a run: one in which nothing happened proves nothing. */
import type { Conversation } from "./conversation.ts"

export type Counts = Readonly<Record<CountName, number>>
const names = [
  "commands",
  "ok",
  "refused",
  "done",
  "stopped",
  "failed",
  "sentNow",
  "steered",
  "guests",
  "answered",
  "expired",
  "retried",
  "triedAgain",
  "takeovers",
  "truncated",
  "toolsUnknown",
  "archives",
  "repeatedKeys",
  "crashes",
  "pauses",
  "drains",
  "faults",
] as const
export type CountName = (typeof names)[number]

export function countsOf(
  conversations: readonly Conversation[],
  trouble: Readonly<Record<"crashes" | "pauses" | "drains" | "faults", number>>,
): Counts {
  const counts = { ...noCounts(), ...trouble }
  for (const it of conversations) {
    for (const op of it.ops) {
      counts.commands += 1
      if (op.outcome === "ok") counts.ok += 1
      if (op.outcome === "refused") counts.refused += 1
      if (op.outcome === "ok" && op.command.kind === "send-now") counts.sentNow += 1
      if (op.outcome === "ok" && op.command.kind === "send" && !it.log.some((one) => one.txid === op.txid))
        counts.repeatedKeys += 1
    }
    for (const { state, guest, retriedBy } of it.rows.turns.values()) {
      if (retriedBy !== undefined) counts.triedAgain += 1
      if (state === "done" || state === "stopped" || state === "failed") counts[state] += 1
      if (guest !== null) counts.guests += 1
    }
    counts.archives += it.rows.archives.size
    for (const { state } of it.rows.asks.values()) if (state === "answered" || state === "expired") counts[state] += 1
    for (const row of it.rows.messages.values()) {
      if (row.state === "truncated") counts.truncated += 1
      if (row.role === "person" && row.turn !== null && it.rows.turns.get(row.turn)?.message !== row.id)
        counts.steered += 1
      if (row.parts.some((part) => part.type === "tool" && part.state === "unknown")) counts.toolsUnknown += 1
    }
    for (const { collection, value, txid } of it.log) {
      if (collection === "turns" && value.includes('"state":"retrying"')) counts.retried += 1
      if (txid.startsWith("rcv")) counts.takeovers += 1
    }
  }
  return counts
}

export function sumOf(all: readonly Counts[]): Counts {
  const sum = noCounts()
  for (const counts of all) for (const name of names) sum[name] += counts[name]
  return sum
}

function noCounts(): Record<CountName, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<CountName, number>
}
