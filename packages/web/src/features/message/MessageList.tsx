import type { MessageRow } from "@parlor/protocol"
import { Message } from "./Message.tsx"
import { opensGroup } from "./messageView.ts"

export type MessageListProps = { readonly messages: readonly MessageRow[]; readonly agent: string }

export function MessageList({ messages, agent }: MessageListProps) {
  return messages.map((message, index) => (
    <Message key={message.id} message={message} agent={agent} named={opensGroup(message, messages[index - 1])} />
  ))
}
