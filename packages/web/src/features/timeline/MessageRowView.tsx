import type { ArchiveRow, MessageRow, ProblemNote } from "@parlor/protocol"
import { memo, useContext, useMemo } from "react"
import { Boundary } from "../../ui/Boundary.tsx"
import { ForkLine } from "../branch/ForkLine.tsx"
import type { Fork } from "../branch/fork.ts"
import { ChapterLine } from "../compaction/ChapterLine.tsx"
import { MessageAsText } from "../message/MessageAsText.tsx"
import { ReadingContext } from "../message/reading.ts"
import { DayLine } from "./DayLine.tsx"
import { FailureLine } from "./FailureLine.tsx"
import { Message } from "./Message.tsx"

export type MessageRowViewProps = {
  readonly message: MessageRow
  readonly agent: string
  readonly named: boolean
  /** The first of its day. */
  readonly opensDay: boolean
  readonly isAttempt: boolean
  readonly hasActs: boolean
  readonly isNewest: boolean
  /** Its number among its versions, and how many there are; 1 if it was never edited. */
  readonly version: number
  readonly versions: number
  readonly onVersion: (message: string, by: 1 | -1) => void
  /** Why nobody answered it. */
  readonly failure?: ProblemNote | undefined
  /** The chapter that ends with this message. */
  readonly chapter?: ArchiveRow | undefined
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
  const { message, agent, named, opensDay, isAttempt, hasActs, isNewest, version, versions, onVersion } = props
  const { failure, chapter, fork } = props
  const conversation = useContext(ReadingContext)?.conversation
  const pager = useMemo(
    () =>
      versions > 1
        ? { number: version, count: versions, onTurn: (by: 1 | -1) => onVersion(message.id, by) }
        : undefined,
    [version, versions, onVersion, message.id],
  )
  return (
    <>
      {opensDay && (
        <div className="pt-6">
          <DayLine at={message.at} />
        </div>
      )}
      <div className={opensDay ? "pt-4" : "pt-3"}>
        <Message
          message={message}
          agent={agent}
          named={named}
          isAttempt={isAttempt}
          hasActs={hasActs}
          isNewest={isNewest}
          versions={pager}
        />
      </div>
      {failure && <FailureLine note={failure} />}
      {chapter && <ChapterLine archive={chapter} conversation={conversation} />}
      {fork && <ForkLine fork={fork} />}
    </>
  )
}
