/** The tools that start a reply, or continue one: which reply is waited for. */
import { createHash } from "node:crypto"
import type { McpInput } from "@parlor/adapters"
import type { Json } from "@parlor/core"
import {
  type Address,
  type AskRow,
  COMPOSER_INPUT,
  MAIN_BRANCH,
  parseOffset,
  Refusal,
  type Sent,
} from "@parlor/protocol"
import { readableAnswer } from "../turns/text-answer.ts"
import { addressFor, checkScope, type McpCaller, txidFor } from "./mcp-caller.ts"
import type { Awaited } from "./replying.ts"

export async function send(from: McpCaller, input: McpInput<"send">): Promise<Awaited & Pick<Sent, "outcome">> {
  checkScope(from, "write")
  from.services.sends.take("send", from.caller)
  const address = addressFor(from, { agent: input.agent, branch: branchOf(from, input) })
  const sent = await sendTo(from, address, input)
  const { began } = sent.turn ? await from.services.runtime.turn(address, sent.turn) : { began: seqOf(sent.offset) }
  return { branch: address.branch, message: sent.message, after: began ?? 0, outcome: sent.outcome }
}

/** The reply that is running now, or undefined. */
export async function running(from: McpCaller, at: Pick<Address, "agent" | "branch">): Promise<Awaited | undefined> {
  const address = addressFor(from, at)
  const { status } = await from.services.runtime.snapshot(address, { messages: 1 })
  return status.busyWith === "turn" && status.turn !== null ? ofTurn(from, address, status.turn) : undefined
}

export async function answer(from: McpCaller, input: McpInput<"answer">): Promise<Awaited> {
  checkScope(from, "write")
  const address = addressFor(from, input)
  const ask = await askOf(from, address, input.ask)
  const given = typeof input.answer === "string" ? readableAnswer(ask, input.answer) : (input.answer as Json)
  await from.services.runtime.answer(address, ask.id, given, { by: "person", txid: txidFor(from) })
  return ofTurn(from, address, ask.turn)
}

async function ofTurn({ services }: McpCaller, address: Address, turn: string): Promise<Awaited> {
  const { began, message } = await services.runtime.turn(address, turn)
  return { branch: address.branch, message, after: began ?? 0 }
}

async function askOf({ services }: McpCaller, address: Address, id: string | undefined): Promise<AskRow> {
  if (id !== undefined) return services.runtime.ask(address, id)
  const { asks } = await services.runtime.snapshot(address, { messages: 1 })
  const [ask, ...others] = asks.filter(({ state }) => state === "open")
  if (ask === undefined) throw new Refusal("ask.unknown", "The agent asks nothing at the moment.")
  if (others.length > 0)
    throw new Refusal("ask.invalid", "Several questions are open. Pass the id of one as ask.", "/ask")
  return ask
}

/** A repeated call finds the conversation of the first one: its name is derived from the key. */
function branchOf(from: McpCaller, { branch, newConversation, idempotencyKey }: McpInput<"send">): string {
  if (branch !== undefined || !newConversation) return branch ?? MAIN_BRANCH
  return `chat-${digestOf(idempotencyKey ?? txidFor(from)).slice(0, 12)}`
}

async function sendTo(from: McpCaller, address: Address, input: McpInput<"send">): Promise<Sent> {
  const { runtime, sends } = from.services
  const txid = txidFor(from)
  const key = input.idempotencyKey === undefined ? undefined : `mcp:${input.idempotencyKey}`
  const message = {
    type: COMPOSER_INPUT,
    payload: { source: input.text },
    mode: "immediate",
    source: from.caller.key === null ? "person" : "api",
    txid,
    ...(key === undefined ? {} : { key: { key, hash: digestOf(input.text) } }),
  } as const
  const sent = await runtime.send(address, message).catch(async (error: unknown) => {
    const isMissing = error instanceof Refusal && error.code === "conversation.unknown"
    if (!isMissing || !input.newConversation) throw error
    await runtime.make(address, txid)
    return runtime.send(address, message)
  })
  if (sent.txid !== txid) sends.giveBack(from.caller)
  return sent
}

function seqOf(offset: string): number {
  const seq = parseOffset(offset)
  return typeof seq === "number" ? seq : 0
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
