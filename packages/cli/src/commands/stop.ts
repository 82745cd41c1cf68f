import { Complaint } from "../explain.ts"
import { type ConversationOptions, conversationOf } from "../settings.ts"
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
    throw new Complaint(`--on-queue takes one of: ${FATES.join(", ")}.`)
  const conversation = conversationOf(options)
  const stopped = await conversation.stop({ ...(turn ? { turn } : {}), ...(onQueue ? { onQueue } : {}) })
  const { queue, status } = await conversation.open({ messages: 1 })
  terminal.note(`Stopped ${stopped.turn}. What it said stays.`)
  if (queue.length > 0 && status.held !== null)
    terminal.note(`${queue.length} waiting, held. "parlor queue resume" lets them go on.`)
  return 0
}
