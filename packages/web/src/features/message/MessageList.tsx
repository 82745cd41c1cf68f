import type { MessageRow, RollbackRow } from "@parlor/protocol"
import { Fragment, useMemo } from "react"
import { dividersBelow } from "../rollback/dividers.ts"
import { RollbackDivider } from "../rollback/RollbackDivider.tsx"
import { Message } from "./Message.tsx"
import { isBrokenAttempt, opensGroup } from "./messageView.ts"

export type MessageListProps = {
  readonly messages: readonly MessageRow[]
  readonly agent: string
  /** The turn that runs. */
  readonly running: string | null
  readonly rollbacks: readonly RollbackRow[]
}

export function MessageList({ messages, agent, running, rollbacks }: MessageListProps) {
  const dividers = useMemo(() => dividersBelow(messages, rollbacks), [messages, rollbacks])
  return messages.map((message, index) => (
    <Fragment key={message.id}>
      <Message
        message={message}
        agent={agent}
        named={opensGroup(message, messages[index - 1])}
        isAttempt={message.state === "failed" && isBrokenAttempt(message, messages.slice(index + 1), running)}
      />
      {dividers.get(message.id)?.map((divider) => (
        <RollbackDivider key={divider.id} divider={divider} />
      ))}
    </Fragment>
  ))
}
