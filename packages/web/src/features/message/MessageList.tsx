import type { MessageRow } from "@parlor/protocol"
import { Message } from "./Message.tsx"
import { isBrokenAttempt, opensGroup } from "./messageView.ts"

export type MessageListProps = {
  readonly messages: readonly MessageRow[]
  readonly agent: string
  /** The turn that runs. */
  readonly running: string | null
}

export function MessageList({ messages, agent, running }: MessageListProps) {
  return messages.map((message, index) => (
    <Message
      key={message.id}
      message={message}
      agent={agent}
      named={opensGroup(message, messages[index - 1])}
      isAttempt={message.state === "failed" && isBrokenAttempt(message, messages.slice(index + 1), running)}
    />
  ))
}
