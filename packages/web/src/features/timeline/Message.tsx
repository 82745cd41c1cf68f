import type { MessageRow } from "@parlor/protocol"
import { memo } from "react"
import { cx } from "../../ui/cx.ts"
import { AuthorLine } from "../message/AuthorLine.tsx"
import { timeOf } from "../message/days.ts"
import { authorName, hasContent, isBlank, stateWords } from "../message/messageView.ts"
import { OriginLine } from "../message/OriginLine.tsx"
import { PartView } from "../message/PartView.tsx"
import { Thinking } from "../message/Thinking.tsx"
import { ActBar } from "./ActBar.tsx"

export type MessageProps = {
  readonly message: MessageRow
  readonly agent: string
  readonly named: boolean
  /** A failed attempt that was retried: its text stays, dimmed. */
  readonly isAttempt?: boolean
}

/** Unchanged messages keep their identity, so only the streaming one renders again (TAB-7). */
export const Message = memo(function Message({ message, agent, named, isAttempt = false }: MessageProps) {
  const name = authorName(message, agent)
  const mine = message.role === "person"
  const streaming = message.state === "streaming"
  const words = stateWords(message, isAttempt)
  return (
    <article
      aria-label={`${name}, ${timeOf(message.at)}`}
      aria-busy={streaming}
      className={cx("group/message relative", message.dimmed && "opacity-40", mine && "flex flex-col items-end")}
    >
      {named && (mine ? <p className="sr-only">{name}</p> : <AuthorLine name={name} at={message.at} />)}
      <OriginLine trigger={message.trigger} />
      <div
        data-body
        className={cx(
          "min-w-0",
          isAttempt && "opacity-60",
          mine ? "mine max-w-[85%] rounded-2xl rounded-br-md bg-tint px-4 py-2" : "space-y-3",
        )}
      >
        {message.parts.map((part, index) =>
          isBlank(part) ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by index
            <div key={index} data-part={index}>
              <PartView
                message={message.id}
                index={index}
                part={part}
                streaming={streaming && index === message.parts.length - 1}
              />
            </div>
          ),
        )}
        {streaming && !hasContent(message) && <Thinking name={name} />}
      </div>
      {message.editedFrom !== null && <p className="mt-1 text-muted text-xs">edited</p>}
      {words !== undefined && (
        <p className={cx("mt-2 text-sm", message.state === "failed" && !isAttempt ? "text-bad" : "text-muted")}>
          {words}
        </p>
      )}
      <ActBar message={message} />
    </article>
  )
})
