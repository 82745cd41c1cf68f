import { Refusal, type StreamId } from "@parlor/protocol"
import { findOnLine } from "../log/line.ts"
import type { Ports } from "../ports/ports.ts"

/** Checks that an edited message names one that a person wrote in this conversation (RBK-3). */
export async function checkEdited(node: Ports, stream: StreamId, id: string): Promise<void> {
  const found = await findOnLine(node.store, stream, id)
  if (found === undefined) throw new Refusal("message.unknown", `There is no message ${id} here.`, "/editedFrom")
  if (found.message.role !== "person")
    throw new Refusal("rollback.target", "Only a person's message can be edited and sent again.", "/editedFrom")
}
