/** The messages of a conversation to replay, oldest first. */
import type { Conversation } from "@parlor/client"
import type { MessageRow, Snapshot } from "@parlor/protocol"

/** A client keeps all of them in memory, and so does this process while it replays them. */
const MAX_MESSAGES = 2_000
const PAGE = 500

export type History = { readonly messages: readonly MessageRow[]; readonly isWhole: boolean }

/** Without those of the running turn: the log has them. */
export async function historyOf(conversation: Conversation, snapshot: Snapshot): Promise<History> {
  const { busyWith, turn } = snapshot.status
  const running = busyWith === "turn" ? turn : null
  const pages: (readonly MessageRow[])[] = [snapshot.messages]
  let count = snapshot.messages.length
  let { older } = snapshot
  while (older !== null && count < MAX_MESSAGES) {
    const page = await conversation.messages({ before: older, limit: PAGE })
    pages.unshift([...page.messages].reverse())
    count += page.messages.length
    older = page.older
  }
  const messages = pages.flat().filter((message) => running === null || message.turn !== running)
  return { messages, isWhole: older === null }
}
