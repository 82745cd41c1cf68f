import type { MessageRow, Part, ToolPart } from "@parlor/protocol"
import { memo, type ReactNode, useContext } from "react"
import { t } from "../../texts/en/timeline.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { AuthorLine } from "../message/AuthorLine.tsx"
import { timeOf } from "../message/days.ts"
import { authorName, hasContent, isBlank, stateWords } from "../message/messageView.ts"
import { OriginLine } from "../message/OriginLine.tsx"
import { PartView } from "../message/PartView.tsx"
import { StillWorking } from "../message/StillWorking.tsx"
import { Thinking } from "../message/Thinking.tsx"
import { ToolGroup } from "../message/ToolGroup.tsx"
import { toolRuns } from "../message/toolTitle.ts"
import { ActsContext, EditContext } from "../rollback/acts.ts"
import { ActBar } from "./ActBar.tsx"
import { EditMessage } from "./EditMessage.tsx"
import type { VersionPagerProps } from "./VersionPager.tsx"

export type MessageProps = {
  readonly message: MessageRow
  readonly agent: string
  readonly named: boolean
  /** A failed attempt that was retried: its text stays, dimmed. */
  readonly isAttempt?: boolean
  /** The last of its author in a row, which has the actions. */
  readonly hasActs?: boolean
  /** The last message of the conversation. */
  readonly isNewest?: boolean
  readonly versions?: VersionPagerProps | undefined
}

/** Unchanged messages keep their identity, so only the streaming one renders again (TAB-7). */
export const Message = memo(function Message(props: MessageProps) {
  const { message, agent, named, isAttempt = false, hasActs = true, isNewest = false, versions } = props
  const edit = useContext(EditContext)
  const name = authorName(message, agent)
  const mine = message.role === "person"
  const streaming = message.state === "streaming"
  const words = stateWords(message, isAttempt)
  const isEdited = edit?.message === message.id
  return (
    <article
      aria-label={`${name}, ${timeOf(message.at)}`}
      aria-busy={streaming}
      className={cx(
        "group/message relative",
        message.dimmed && "text-muted",
        mine && "flex flex-col items-end",
        isEdited && "items-stretch",
      )}
    >
      {named && (mine ? <p className="sr-only">{name}</p> : <AuthorLine name={name} at={message.at} />)}
      <OriginLine trigger={message.trigger} />
      {isEdited ? (
        <EditMessage edit={edit} />
      ) : (
        <div
          data-body
          className={cx(
            "min-w-0",
            isAttempt && "text-muted",
            mine && "mine max-w-[85%] rounded-2xl rounded-br-md px-4 py-2",
            mine && (message.dimmed ? "border border-line border-dashed" : "bg-tint"),
            !mine && "space-y-3",
          )}
        >
          <Parts message={message} />
          {streaming && !hasContent(message) && <Thinking name={name} />}
          {streaming && hasContent(message) && <StillWorking since={message} />}
        </div>
      )}
      {message.editedFrom !== null && versions === undefined && (
        <p className="mt-1 text-muted text-xs">{t("edited")}</p>
      )}
      {words !== undefined && (
        <p className={cx("mt-2 text-sm", message.state === "failed" && !isAttempt ? "text-bad" : "text-muted")}>
          {words}
        </p>
      )}
      {isNewest && !isAttempt && <NextStep message={message} />}
      {hasActs && !streaming && !isEdited && <ActBar message={message} isNewest={isNewest} versions={versions} />}
    </article>
  )
})

/** Finished tool calls in a row are one line (MSG-17). */
function Parts({ message }: Pick<MessageProps, "message">) {
  const { id, parts, role, state } = message
  const runs = toolRuns(parts)
  const one = (part: Part, index: number) =>
    isBlank(part) ? null : (
      <div key={index} data-part={index}>
        <PartView
          message={id}
          index={index}
          part={part}
          isMine={role === "person"}
          streaming={state === "streaming" && index === parts.length - 1}
        />
      </div>
    )
  const shown: ReactNode[] = []
  for (let index = 0; index < parts.length; index++) {
    const [part, end] = [parts[index], runs.get(index)]
    if (part === undefined) continue
    if (end === undefined) {
      shown.push(one(part, index))
      continue
    }
    const from = index
    const run = parts.slice(from, end).filter((call): call is ToolPart => call.type === "tool")
    shown.push(
      <ToolGroup key={`group ${from}`} message={id} from={from} parts={run}>
        {run.map((call, offset) => one(call, from + offset))}
      </ToolGroup>,
    )
    index = end - 1
  }
  return shown
}

/** What to do about a reply that was stopped or failed, while nothing came after it (MSG-4). */
function NextStep({ message }: Pick<MessageProps, "message">) {
  const acts = useContext(ActsContext)
  if (acts === undefined || message.role !== "agent" || message.dimmed) return null
  if (message.state === "truncated")
    return (
      <Button className="mt-2" onClick={acts.proceed}>
        {t("continue")}
      </Button>
    )
  return null
}
