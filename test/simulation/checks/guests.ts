/**
 * [GST-2, GST-5, GST-6] Those who are named with a message answer it, in order, each at most once and with nothing in
 * between; what is said in a turn is said in the name of whoever's turn it is; a guest is neither offered nor shown tools.
 */
import type { TurnRow } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"
import type { Conversation } from "../conversation.ts"
import type { Commit } from "../journal.ts"
import { LEFTOVER_MS } from "./requests.ts"
import { startOf } from "./start-of.ts"

export const guests: MakeCheck = (it, wrong, facts) => {
  /** By message: who was asked, null for the conversation's own agent. Known from the command that sent it. */
  const asked = new Map<string, readonly (string | null)[]>()
  const turns = new Map<string, TurnRow[]>()
  return {
    commit(commit) {
      for (const { event } of commit.entries) {
        const sent = sentIn(it, commit)
        if (sent !== undefined && event.type === "queue" && event.headers.operation === "insert")
          asked.set(event.key, sent)
        if (sent !== undefined && event.type === "turns" && event.headers.operation === "insert")
          asked.set(event.value.message, sent)
      }
      for (const { stored, event } of commit.entries) {
        if (event.type === "turns") tookTurn(event.value, event.headers.operation === "insert", stored.seq, commit)
        if (event.type !== "messages" || event.value.role !== "agent" || event.value.turn === null) continue
        const turn = it.rows.turns.get(event.value.turn) ?? insertedIn(commit, event.value.turn)
        if (turn !== undefined && event.value.author !== (turn.guest ?? ""))
          wrong("GST-2", `${stored.seq}: ${event.key} of ${turn.guest}'s turn is by "${event.value.author}"`)
        if (turn?.guest != null && event.value.parts.some(({ type }) => type === "tool"))
          wrong("GST-1", `${stored.seq}: ${event.key} of the guest ${turn.guest} calls a tool`)
      }
    },
    called({ number, request, process }) {
      if (it.owner !== process || it.leftBehindAt + LEFTOVER_MS > facts.now() || it.turn?.guest == null) return
      const calls = request.messages.some(
        (message) => message.role === "tools" || (message.role === "agent" && message.parts.some(isCall)),
      )
      if (calls || request.tools.length > 0) wrong("GST-1", `call ${number}: ${it.turn.guest} is shown tools`)
    },
    end() {
      for (const [message, list] of turns) {
        const last = list.at(-1)
        const all = asked.get(message) ?? [null]
        if (last?.state === "done" && list.length < all.length)
          wrong("GST-6", `${message}: ${list.length} of ${all.join(", ")} have answered`)
      }
    },
  }

  function tookTurn(turn: TurnRow, isNew: boolean, seq: number, commit: Commit): void {
    const list = turns.get(turn.message) ?? []
    turns.set(turn.message, list)
    if (!isNew) {
      if (list.at(-1)?.id === turn.id) list[list.length - 1] = turn
      return
    }
    // Whoever failed is tried again; `again.ts` looks at when.
    if (startOf(it, commit)?.by === "retry") list.pop()
    const before = list.at(-1)
    list.push(turn)
    const all = asked.get(turn.message) ?? [null]
    const expected = all[list.length - 1]
    if (expected === undefined) wrong("GST-6", `${seq}: ${turn.message} is answered ${list.length} times`)
    else if (turn.guest !== expected) wrong("GST-6", `${seq}: ${turn.guest} answers, it was for ${expected} to`)
    if (before === undefined) return
    if (startOf(it, commit)?.by === "retry") return
    const ends = commit.entries.some(({ event }) => event.type === "turns" && event.key === before.id)
    if (before.state !== "done" || !ends)
      wrong("GST-6", `${seq}: ${turn.guest} does not follow ${before.guest} at once`)
  }
}

/** Each once, in the order they are named; nobody named means the conversation's own agent. */
function sentIn(it: Conversation, { append }: Commit): readonly (string | null)[] | undefined {
  const command = it.opBy.get(append.txid)?.command
  if (command?.kind !== "send") return undefined
  const named = [...new Set(command.guests ?? [])].map((name) => (name === it.address.agent ? null : name))
  return named.length === 0 ? [null] : named
}

function insertedIn({ entries }: Commit, id: string): TurnRow | undefined {
  for (const { event } of entries) if (event.type === "turns" && event.key === id) return event.value
  return undefined
}

function isCall(part: { readonly type: string }): boolean {
  return part.type === "tool"
}
