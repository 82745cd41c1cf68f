/** Applies an edit to a queued message, checked like a send (CMP-1, CMP-4, QUE-7). */
import {
  type Address,
  COMPOSER_INPUT,
  type ComposerInput,
  type EditBody,
  nodesOf,
  type QueueRow,
  Refusal,
} from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import type { Json } from "../ports/json.ts"
import type { Ports } from "../ports/ports.ts"
import { checkMessage } from "./check.ts"
import { companyOf, mentionedGuests } from "./guests.ts"

export type EditedInput = Pick<QueueRow, "payload" | "guests" | "attachments">

/** Undefined if the edit does not change the content. */
export async function editedInput(
  node: Ports & Agents,
  address: Address,
  message: QueueRow,
  body: EditBody,
): Promise<EditedInput | undefined> {
  if (body.text === undefined && body.payload === undefined) return undefined
  if (body.text !== undefined && body.payload !== undefined)
    throw new Refusal("request.invalid", "Provide `text` or `payload`, not both.", "/payload")
  if (body.text !== undefined && message.type !== COMPOSER_INPUT)
    throw new Refusal(
      "request.invalid",
      `This message has the type ${message.type}. Change its payload instead.`,
      "/text",
    )
  const payload = (body.text === undefined ? body.payload : retyped(message, body.text)) as Json
  const { guests, attachments } = await checkMessage(node, address, { type: message.type, payload })
  const followsMentions = body.text === undefined && hasMentionedGuests(node, address, message)
  return {
    payload: payload as QueueRow["payload"],
    guests: followsMentions ? [...guests] : message.guests,
    attachments: [...attachments],
  }
}

/** Replaces the typed text with plain text. Attachments stay, at its end. */
function retyped({ payload }: QueueRow, source: string): ComposerInput {
  const attachments = nodesOf(payload as unknown as ComposerInput, "attachment")
  if (attachments.length === 0) return { source }
  return { source, nodes: attachments.map((node) => ({ ...node, start: source.length, end: source.length, raw: "" })) }
}

/** Guests named separately from the text stay; mentioned guests are replaced by those mentioned now (GST-6). */
function hasMentionedGuests(node: Ports & Agents, { agent }: Address, { type, payload, guests }: QueueRow): boolean {
  if (type !== COMPOSER_INPUT) return false
  const mentioned = mentionedGuests(payload as unknown as ComposerInput, companyOf(node, agent))
  return JSON.stringify(mentioned) === JSON.stringify(guests)
}
