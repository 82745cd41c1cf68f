/**
 * Waits for the reply to a message: until the turn ends, it asks the person something, or the time is up.
 *
 *   send | wait | answer ──▶ following ──ended──▶ result
 *                               │  ▲
 *                       ask opened  └── the client calls again with the person's answers
 *                               ▼
 *                input_required, or a result that says how to answer
 *
 * Nothing is kept between two calls: the client returns `requestState`, which says which reply it waits for. It grants
 * nothing that the caller could not do anyway, so it is checked like any input and not signed. It therefore works
 * after a restart and on every server of the same store.
 */
import { answerOf, type Elicited, elicitationOf, type McpProgress, McpReply, type McpReplyView } from "@parlor/adapters"
import type { Json } from "@parlor/core"
import { type Address, type AskRow, branchName, limits, type MessageId, Refusal } from "@parlor/protocol"
import { z } from "zod"
import { followAnswer } from "../turns/follow-turns.ts"
import { addressFor, checkScope, type McpCaller, txidFor } from "./mcp-caller.ts"

/** Which reply is waited for. */
export type Awaited = z.infer<typeof awaited>

const awaited = z.strictObject({
  branch: branchName,
  message: z.string().min(1).max(limits.nameLength),
  /** The number of the last event before its turn. */
  after: z.number().int().nonnegative(),
})

export type Waiting = {
  readonly agent: string
  readonly of: Awaited
  readonly waitMs: number
  readonly signal: AbortSignal
  readonly report: (progress: McpProgress) => void
}

export type Waited = {
  readonly reply: Pick<McpReplyView, "state" | "text" | "asks" | "error">
  /** What the person has to answer before it continues. */
  readonly asks: readonly AskRow[]
}

export function printAwaited(of: Awaited): string {
  return JSON.stringify(of)
}

/** Throws if it is not one of ours; the client is then told that its request state is invalid. */
export function parseAwaited(state: string): Awaited {
  return awaited.parse(JSON.parse(state))
}

export async function waitForReply(from: McpCaller, waiting: Waiting): Promise<Waited> {
  const { runtime } = from.services
  const { agent, of, report } = waiting
  const address = addressFor(from, { agent, branch: of.branch })
  const { id: stream } = await runtime.conversation(address)
  const reply = new McpReply(of.after)
  const time = new AbortController()
  const cancelTimer = from.services.clock.after(waiting.waitMs, () => time.abort())
  const signal = AbortSignal.any([time.signal, waiting.signal])
  try {
    for await (const event of followAnswer({
      runtime,
      stream,
      after: of.after,
      message: of.message as MessageId,
      signal,
    })) {
      const progress = reply.read(event)
      if (progress !== undefined) report(progress)
      if (event.type !== "ask-opened") continue
      const asks = await openAsks(from, address, reply)
      if (asks.length > 0) return { reply: { ...reply.result, state: "asks" }, asks }
    }
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "message.not-queued")) throw error
    return { reply: { ...reply.result, state: "removed" }, asks: [] }
  } finally {
    cancelTimer()
  }
  return { reply: reply.result, asks: [] }
}

/** The log is read from the start of the turn, so an ask that was opened there may be closed by now. */
async function openAsks({ services }: McpCaller, address: Address, reply: McpReply): Promise<readonly AskRow[]> {
  const { asks } = await services.runtime.snapshot(address, { messages: 1 })
  const seen = new Set(reply.asks.map(({ id }) => id))
  return asks.filter((ask) => ask.state === "open" && seen.has(ask.id))
}

/** Stores what the person answered. Returns false if an ask is still open: the person did not answer it. */
export async function storeAnswers(
  from: McpCaller,
  address: Address,
  responses: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  checkScope(from, "write")
  let isComplete = true
  for (const [id, response] of Object.entries(responses)) {
    const ask = await from.services.runtime.ask(address, id)
    const answer = answerOf(ask, elicitedIn(id, response))
    if (answer === undefined) isComplete = isComplete && ask.state !== "open"
    else await storeAnswer(from, address, ask, answer as Json)
  }
  return isComplete
}

const elicited = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.unknown()).optional(),
})

function elicitedIn(ask: string, response: unknown): Elicited {
  const { success, data } = elicited.safeParse(response)
  if (success) return data
  throw new Refusal("ask.invalid", `The response to ${ask} is not the result of an elicitation.`, "/inputResponses")
}

/** If another device was faster, the turn continues with that answer. */
async function storeAnswer(from: McpCaller, address: Address, ask: AskRow, answer: Json): Promise<void> {
  await from.services.runtime
    .answer(address, ask.id, answer, { by: "person", txid: txidFor(from) })
    .catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === "ask.closed")) throw error
    })
}

/** An ask as the client's dialog. */
export function dialogsFor(asks: readonly AskRow[]) {
  return asks.map((ask) => [ask.id, elicitationOf(ask)] as const)
}
