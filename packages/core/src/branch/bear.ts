/** The first rows of a conversation that begins with more than nothing. */
import { type Address, type NewChange, Refusal, type StatusRow, type TxId } from "@parlor/protocol"
import { baseCommands } from "../agent/command.ts"
import { agentOf, feedStream } from "../conversation/address.ts"
import { feedChange, statusChange } from "../conversation/state.ts"
import { rowChange } from "../log/row-change.ts"
import type { Node } from "../node.ts"
import type { Append } from "../ports/store.ts"

export type Born = {
  readonly address: Address
  readonly status: StatusRow
  readonly changes: readonly NewChange[]
  readonly txid: TxId
  readonly once?: NonNullable<Append["once"]>
}

/** `taken`: there is a conversation at that address, and this request did not make it. */
export async function bear(node: Node, born: Born): Promise<"made" | "taken"> {
  const { address, status, once } = born
  const stream = await node.store.ensure({ kind: "conversation", ...address })
  const commands = [...baseCommands(agentOf(node, address.agent)).values()].map(
    (row): NewChange => ({ collection: "commands", key: row.name, operation: "insert", row }),
  )
  const appended = await node.writer.append({
    stream: stream.id,
    changes: [statusChange(status, "insert"), ...commands, ...born.changes].map(rowChange),
    txid: born.txid,
    at: node.clock.now(),
    expect: 0,
    active: false,
    feed: {
      stream: await feedStream(node, address.person),
      changes: [rowChange(feedChange(address, status, { queued: 0, asks: 0 }))],
    },
    ...(once === undefined ? {} : { once }),
  })
  if (appended.ok) return "made"
  if (appended.why !== "repeated") return "taken"
  if (appended.hash === once?.hash) return "made"
  throw new Refusal("idempotency.reused", "This Idempotency-Key was used before with another body. Use a new key.")
}
