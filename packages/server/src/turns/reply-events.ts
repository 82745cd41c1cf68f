/** The turn events of the reply to one send (API-20, API-21). */
import type { Runtime } from "@parlor/core"
import { type Address, type MessageId, parseOffset, type Sent, type TurnEvent } from "@parlor/protocol"
import { followAnswer } from "./follow-turns.ts"

export type ReplyOf = {
  readonly runtime: Runtime
  readonly address: Address
  readonly sent: Sent
  readonly signal: AbortSignal
}

/** Ends with the reply, or at an ask that is still open: one that was answered since does not end it. */
export async function* replyEvents(of: ReplyOf): AsyncGenerator<TurnEvent> {
  for await (const event of eventsOf(of)) {
    yield event
    if (event.type === "ask-opened" && (await of.runtime.ask(of.address, event.ask.id)).state === "open") return
  }
}

export function seqOf(offset: string): number {
  const seq = parseOffset(offset)
  return typeof seq === "number" ? seq : 0
}

/**
 * A steering message joins the running turn. If that turn ends before it takes the message, the message starts a turn of
 * its own.
 */
async function* eventsOf({ runtime, address, sent, signal }: ReplyOf): AsyncGenerator<TurnEvent> {
  const message = sent.message as MessageId
  const { id: stream } = await runtime.conversation(address)
  const turn = sent.turn ? await runtime.turn(address, sent.turn) : undefined
  const tail = { runtime, stream, signal }
  const after = seqOf(sent.offset)
  if (turn !== undefined && sent.outcome !== "steering")
    return yield* followAnswer({ ...tail, after: turn.began ?? 0, message })
  if (turn !== undefined) {
    let hasJoined = false
    for await (const event of followAnswer({ ...tail, after: turn.began ?? 0, message: turn.message })) {
      if (seqOf(event.offset) <= after) continue
      if (event.type === "steering-message" && event.message.id === message) hasJoined = true
      yield event
    }
    if (hasJoined) return
  }
  yield* followAnswer({ ...tail, after, message })
}
