import { Complaint } from "../complaint.ts"
import { type ConversationOptions, conversationOf, hint } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type StopOptions = ConversationOptions & {
  readonly turn?: string
  readonly onQueue?: string
  readonly terminal: Terminal
}

const FATES = ["hold", "drain", "clear"] as const

export async function stop(options: StopOptions): Promise<number> {
  const { turn, terminal } = options
  const onQueue = FATES.find((fate) => fate === options.onQueue)
  if (options.onQueue !== undefined && onQueue === undefined)
    throw new Complaint(`--on-queue must be one of: ${FATES.join(", ")}.`)
  const conversation = await conversationOf(options)
  const stopped = await conversation.stop({ ...(turn ? { turn } : {}), ...(onQueue ? { onQueue } : {}) })
  const { queue, status } = await conversation.open({ messages: 1 })
  await terminal.report(`Stopped ${stopped.turn}. The reply so far is kept.`, stopped)
  if (queue.length > 0 && status.held !== null)
    terminal.note(`The queue is paused, ${queue.length} queued. To continue, use ${hint("queue resume", options)}.`)
  return 0
}
