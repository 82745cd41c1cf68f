import type { SharedConversation } from "@parlor/client"
import type { MessageRow, Part } from "@parlor/protocol"
import { Wrench } from "lucide-react"
import { memo, useMemo } from "react"
import { t } from "../../texts/en/share.ts"
import { AttachmentView } from "../message/AttachmentView.tsx"
import { AuthorLine } from "../message/AuthorLine.tsx"
import { timeOf } from "../message/days.ts"
import { isBlank } from "../message/messageView.ts"
import { PartView } from "../message/PartView.tsx"

export type SharedMessageProps = {
  readonly message: MessageRow
  readonly agent: string
  readonly shared: SharedConversation
  readonly isNamed: boolean
}

/** A message that can only be read. */
export const SharedMessage = memo(function SharedMessage({ message, agent, shared, isNamed }: SharedMessageProps) {
  const { id, role, author, parts, state, at } = message
  const isPersons = role === "person"
  const name = isPersons ? t("you") : author || agent
  const attachments = useMemo(() => ({ read: (hash: string) => shared.attachment(id, hash) }), [shared, id])
  const view = (part: Part, index: number) => {
    if (part.type === "attachment") return <AttachmentView part={part} attachments={attachments} />
    if (part.type === "tool" && part.input === null && part.output === null)
      return (
        <p className="flex items-center gap-2 text-muted text-sm">
          <Wrench aria-hidden className="size-3.5" /> {t("usedTools", { tools: part.name })}
        </p>
      )
    const streaming = state === "streaming" && index === parts.length - 1
    return <PartView message={id} index={index} part={part} isMine={isPersons} streaming={streaming} />
  }
  return (
    <article
      aria-label={`${isPersons ? "" : `${name}, `}${timeOf(at)}`}
      aria-busy={state === "streaming"}
      className={isPersons ? "group/message flex flex-col items-end" : "group/message"}
    >
      {isNamed && !isPersons && <AuthorLine name={name} at={at} />}
      <div
        className={
          isPersons ? "mine min-w-0 max-w-[85%] rounded-2xl rounded-br-md bg-tint px-4 py-2" : "min-w-0 space-y-3"
        }
      >
        {parts.map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are numbered.
          isBlank(part) ? null : <div key={index}>{view(part, index)}</div>,
        )}
      </div>
    </article>
  )
})
