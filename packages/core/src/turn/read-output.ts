/** Reads tool output beyond the shown limit (TRN-11): for the model, and for people. */

import { type Address, type MessageRow, Refusal, type ToolPart } from "@parlor/protocol"
import { z } from "zod"
import type { Agents } from "../agent/agent-of.ts"
import { defineTool, type Tool } from "../agent/tool.ts"
import { READ_OUTPUT } from "../context/cut-output.ts"
import { readHistory } from "../context/history.ts"
import { conversationAt } from "../log/address.ts"
import { findOnLine } from "../log/line.ts"
import type { Owner } from "../log/owner.ts"
import type { Ports } from "../ports/ports.ts"
import { blobOf } from "../workspace/change.ts"

const PAGE_CHARS = 32 * 1024
/** A page in which every character is escaped still fits. */
const MAX_OUTPUT_BYTES = PAGE_CHARS * 8

const input = z.object({
  call: z.string().min(1).max(64).describe("The call whose output was cut"),
  from: z.number().int().nonnegative().default(0).describe("The first character to read, counted from 0"),
})

/** Offered only if some output was cut (`context/cut-output.ts`). */
export function readOutputTool(node: Ports & Agents, owner: Owner, window: number): Tool {
  return defineTool({
    name: READ_OUTPUT,
    description: "Reads more of the output of an earlier call that was too long to show.",
    input,
    repeatable: true,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    run: async ({ call, from }) => {
      const { messages } = await readHistory(node.store, owner.stream, { window })
      const text = new TextDecoder().decode(await keptOutput(node, messages, call))
      const end = Math.min(text.length, from + PAGE_CHARS)
      return { call, from, characters: text.length, text: text.slice(from, end), next: end < text.length ? end : null }
    },
  })
}

/** The whole output of a call, or as much of it as is stored. */
export async function readOutput(
  node: Ports & Agents,
  address: Address,
  message: string,
  call: string,
): Promise<Uint8Array> {
  return keptOutput(node, await messageAt(node, address, message), call)
}

/** A picture that a call returned (TRN-27). */
export async function readPicture(
  node: Ports & Agents,
  address: Address,
  { message, call, index }: { readonly message: string; readonly call: string; readonly index: number },
): Promise<{ readonly bytes: Uint8Array; readonly mediaType: string }> {
  const picture = callIn(await messageAt(node, address, message), call)?.pictures?.[index]
  if (picture === undefined)
    throw new Refusal("output.unknown", `The call ${call} did not return a picture ${index} here.`)
  return { bytes: await blobOf(node, picture.hash), mediaType: picture.mediaType }
}

async function messageAt(node: Ports & Agents, address: Address, message: string): Promise<readonly MessageRow[]> {
  const stream = await conversationAt(node, address)
  const found = await findOnLine(node.store, stream.id, message)
  return found === undefined ? [] : [found.message]
}

async function keptOutput(node: Ports & Agents, messages: readonly MessageRow[], call: string): Promise<Uint8Array> {
  const part = callIn(messages, call)
  if (part?.kept === undefined) throw new Refusal("output.unknown", `No output of a call ${call} was cut here.`)
  return blobOf(node, part.kept)
}

function callIn(messages: readonly MessageRow[], call: string): ToolPart | undefined {
  const parts = messages.flatMap((message) => message.parts)
  return parts.findLast((one): one is ToolPart => one.type === "tool" && one.call === call)
}
