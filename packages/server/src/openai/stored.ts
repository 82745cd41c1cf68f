/** The end of a conversation, as it is compared with the history that a client resends. */
import { createHash } from "node:crypto"
import { comparable, type StoredMessage } from "@parlor/adapters"
import type { Runtime } from "@parlor/core"
import {
  type Address,
  type AskRow,
  type ComposerInput,
  type MessageRow,
  type QueueRow,
  Refusal,
} from "@parlor/protocol"

/** How many messages back a client's history is compared. */
const LOOK_BACK = 100

export type Stored = {
  /** The person's messages that are visible or queued, oldest first. */
  readonly messages: readonly StoredMessage[]
  readonly isWhole: boolean
  readonly isEmpty: boolean
  readonly openAsk: AskRow | undefined
}

/** Undefined if there is no such conversation yet. */
export async function readStored(runtime: Runtime, address: Address): Promise<Stored | undefined> {
  const found = await runtime.snapshot(address, { messages: LOOK_BACK }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "conversation.unknown") return undefined
    throw error
  })
  if (found === undefined) return undefined
  const { messages, queue, status, older, asks } = found
  const said = messages.filter(({ role, dimmed }) => role === "person" && !dimmed)
  return {
    messages: [
      ...said.map((row) => storedMessage(row, row.turn !== null && row.turn === status.turn ? "running" : "ended")),
      ...queue.map(queuedMessage),
    ],
    isWhole: older === null,
    isEmpty: messages.length === 0 && queue.length === 0,
    openAsk: asks.find(({ state }) => state === "open"),
  }
}

/** Kept with each message that such a client sends. */
export type Mark = { readonly openai: { readonly said: string } }

export function markOf(text: string): Mark {
  return { openai: { said: digestOfText(text) } }
}

export function digestOfText(text: string): string {
  return createHash("sha256").update(comparable(text)).digest("base64url").slice(0, 22)
}

function storedMessage({ id, composer, parts, trigger }: MessageRow, state: StoredMessage["state"]): StoredMessage {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  const mark = trigger === null ? saidOf(composer) : undefined
  return { id, text: mark ?? digestOfText(text), isFromClient: mark !== undefined, state }
}

function queuedMessage({ id, payload }: QueueRow): StoredMessage {
  const input = payload as Partial<ComposerInput> | null
  const mark = saidOf(input)
  return { id, text: mark ?? digestOfText(input?.source ?? ""), isFromClient: mark !== undefined, state: "queued" }
}

function saidOf(input: unknown): string | undefined {
  const said = (input as Partial<Mark> | null)?.openai?.said
  return typeof said === "string" ? said : undefined
}
