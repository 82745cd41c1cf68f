/** A person's opinion of a reply: a field of its row, so that it is kept, exported and seen on every device (MSG-13). */
import { type Address, type MessageRow, Refusal, type TxId } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationAt } from "../log/address.ts"
import { decide } from "../log/decide.ts"
import { findOnLine } from "../log/line.ts"
import type { LogAccess } from "../log/log-access.ts"

export type Feedback = NonNullable<MessageRow["feedback"]>

export async function rate(
  node: LogAccess & Agents,
  address: Address,
  { message: id, feedback }: { readonly message: string; readonly feedback: Feedback | null },
  txid: TxId,
): Promise<void> {
  const stream = await conversationAt(node, address)
  await decide(
    node,
    stream.id,
    async () => {
      const found = await findOnLine(node.store, stream.id, id)
      if (found === undefined) throw new Refusal("message.unknown", `There is no message ${id} here.`)
      const { message, section } = found
      if (message.role !== "agent" || message.state === "streaming")
        throw new Refusal("feedback.target", "Only an agent's finished message can be rated.")
      if (section.stream !== stream.id)
        throw new Refusal("feedback.target", "This message belongs to the parent conversation. Rate it there.")
      const row = { ...message, feedback }
      return { answer: undefined, changes: [{ collection: "messages", key: id, operation: "update", row }] }
    },
    { txid },
  )
}
