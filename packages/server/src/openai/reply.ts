/** A reply as it is followed: streamed, or returned when it has ended. */
import type { MessageId, TurnEvent } from "@parlor/protocol"
import { Refusal } from "@parlor/protocol"
import type { Services } from "../services.ts"
import { followAnswer } from "../turns/follow-turns.ts"
import type { Place } from "./carry-out.ts"

/** The events of the reply at a place. */
export async function replyEvents(
  { runtime }: Services,
  person: string,
  place: Place,
): Promise<(signal: AbortSignal) => AsyncGenerator<TurnEvent>> {
  const { agent, branch, after } = place
  const { id: stream } = await runtime.conversation({ agent, branch, person })
  const message = place.message as MessageId
  return (signal) => followAnswer({ runtime, stream, after, message, signal })
}

/** Whether the message was removed from the queue, so that no reply will come. */
export function isRemoval(error: unknown): boolean {
  return error instanceof Refusal && error.code === "message.not-queued"
}
