import type { MessageRow } from "@parlor/protocol"
import { memo } from "react"
import { Boundary } from "../../ui/Boundary.tsx"
import { cx } from "../../ui/cx.ts"
import { ForkLine } from "../branch/ForkLine.tsx"
import type { Fork } from "../branch/fork.ts"
import { MessageAsText } from "../message/MessageAsText.tsx"
import type { Divider } from "../rollback/dividers.ts"
import { RollbackDivider } from "../rollback/RollbackDivider.tsx"
import { DayLine } from "./DayLine.tsx"
import { Message } from "./Message.tsx"

export type MessageRowViewProps = {
  readonly message: MessageRow
  readonly agent: string
  readonly named: boolean
  /** The first of its day. */
  readonly opensDay: boolean
  readonly isAttempt: boolean
  readonly dividers: readonly Divider[] | undefined
  /** The branch forks after this message. */
  readonly fork?: Fork | undefined
}

/** A message with the lines above and below it. Renders again only when something changed (TAB-7). */
export const MessageRowView = memo(function MessageRowView(props: MessageRowViewProps) {
  const { message, agent } = props
  return (
    <Boundary
      subject={message.state === "streaming" ? message.id : message}
      fallback={() => <MessageAsText message={message} agent={agent} />}
    >
      <Row {...props} />
    </Boundary>
  )
})

function Row(props: MessageRowViewProps) {
  const { message, agent, named, opensDay, isAttempt, dividers, fork } = props
  return (
    <>
      {opensDay && (
        <div className="pt-6">
          <DayLine at={message.at} />
        </div>
      )}
      <div className={cx(opensDay ? "pt-4" : named ? "pt-7" : "pt-3")}>
        <Message message={message} agent={agent} named={named} isAttempt={isAttempt} />
      </div>
      {fork && <ForkLine fork={fork} />}
      {dividers?.map((divider) => (
        <RollbackDivider key={divider.id} divider={divider} />
      ))}
    </>
  )
}
