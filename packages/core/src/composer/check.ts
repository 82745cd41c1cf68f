/**
 * Checks a message before anything is stored (CMP-1, CMP-4, CMP-6): the agent accepts its type, its payload matches the
 * schema and is not too long, and the sender owns its attachments. Every message passes this check: a send, an edit of
 * a queued message, a trigger.
 */
import {
  type Address,
  type AttachmentPart,
  COMPOSER_INPUT,
  type ComposerInput,
  composerInput,
  limits,
  Refusal,
  SYSTEM_TYPES,
} from "@parlor/protocol"
import type { z } from "zod"
import type { Agent } from "../agent/agent.ts"
import { type Agents, agentOf } from "../agent/agent-of.ts"
import type { Json } from "../ports/json.ts"
import type { Ports } from "../ports/ports.ts"
import { checkGuests, companyOf, mentionedGuests } from "./guests.ts"

export type Payload = { readonly type: string; readonly payload: Json; readonly guests?: readonly string[] | undefined }
/** What a message refers to besides itself. */
export type Checked = { readonly guests: readonly string[]; readonly attachments: readonly AttachmentPart[] }

/** Errors contain a pointer into the request body. */
export async function checkMessage(node: Ports & Agents, address: Address, message: Payload): Promise<Checked> {
  const agent = agentOf(node, address.agent)
  const company = companyOf(node, agent.name)
  checkSize(message)
  if (message.guests !== undefined) checkGuests(message.guests, company)
  if (message.type !== COMPOSER_INPUT) {
    await checkDeclared(agent, message)
    return { guests: message.guests ?? [], attachments: [] }
  }
  const input = await parsePayload(composerInput, message.payload)
  const guests = message.guests ?? mentionedGuests(input, company)
  return { guests, attachments: await attachmentsOf(node, address.person, input) }
}

async function checkDeclared(agent: Agent, { type, payload }: Payload): Promise<void> {
  const inbox = agent.inbox ?? {}
  const schema = Object.hasOwn(inbox, type) ? inbox[type] : undefined
  if (schema !== undefined) return void (await parsePayload(schema, payload))
  const taken = [COMPOSER_INPUT, ...Object.keys(inbox).filter((name) => !SYSTEM_TYPES.includes(name))].join(", ")
  throw new Refusal(
    "message.type-unknown",
    `${agent.name} does not accept messages of type "${type}". Accepted types: ${taken}.`,
    "/type",
  )
}

async function attachmentsOf(
  node: Ports & Agents,
  person: string,
  { nodes = [] }: ComposerInput,
): Promise<readonly AttachmentPart[]> {
  const found = new Map<string, AttachmentPart>()
  for (const [index, one] of nodes.entries()) {
    if (one.kind !== "attachment" || found.has(one.hash)) continue
    const { hash } = one
    const pointer = `/payload/nodes/${index}`
    if (found.size === limits.attachmentsPerMessage)
      throw new Refusal(
        "request.invalid",
        `A message can have at most ${limits.attachmentsPerMessage} attachments.`,
        pointer,
      )
    const attachment = await node.store.blobs.attachment(person, hash)
    if (attachment === undefined)
      throw new Refusal("attachment.unknown", `There is no attachment with the hash ${hash}. Upload it first.`, pointer)
    const { name, mediaType, bytes } = attachment
    found.set(hash, { type: "attachment", hash, name, mediaType, bytes })
  }
  return [...found.values()]
}

async function parsePayload<S extends z.ZodType>(schema: S, payload: Json): Promise<z.output<S>> {
  const parsed = await schema.safeParseAsync(payload)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const steps = ["payload", ...(issue?.path ?? [])]
  const pointer = steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
  throw new Refusal(codeOf(issue), issue?.message ?? "The payload does not match its schema.", pointer)
}

function codeOf(issue: z.core.$ZodIssue | undefined): "composer.span" | "text.malformed" | "request.invalid" {
  const code: unknown = issue?.code === "custom" ? issue.params?.code : undefined
  return code === "composer.span" || code === "text.malformed" ? code : "request.invalid"
}

function checkSize({ type, payload }: Payload): void {
  const { source } = (payload ?? {}) as { readonly source?: unknown }
  const text = type === COMPOSER_INPUT && typeof source === "string" ? source : JSON.stringify(payload)
  if (text.length * 3 <= limits.messageBytes) return
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= limits.messageBytes) return
  throw new Refusal(
    "message.too-large",
    `The message is too large (${bytes} bytes). The maximum is ${limits.messageBytes}.`,
  )
}
