import { type Part, unreachable } from "@parlor/protocol"
import { Info, TextQuote } from "lucide-react"
import { memo } from "react"
import { t } from "../../texts/en/message.ts"
import { LazyMarkdown } from "../markdown/LazyMarkdown.tsx"
import { AttachmentView } from "./AttachmentView.tsx"
import { Fold } from "./Fold.tsx"
import { foldId } from "./folds.ts"
import { LongText } from "./LongText.tsx"
import { isLong, lengthWords } from "./messageView.ts"
import { ToolCard } from "./ToolCard.tsx"

export type PartViewProps = {
  readonly message: string
  readonly index: number
  readonly part: Part
  readonly streaming: boolean
  /** Written by a person. */
  readonly isMine?: boolean
}

export const PartView = memo(function PartView({ message, index, part, streaming, isMine = false }: PartViewProps) {
  const id = foldId(message, index)
  switch (part.type) {
    case "text":
      return isMine && isLong(part.text) ? (
        <LongText id={id} text={part.text} />
      ) : (
        <LazyMarkdown text={part.text} streaming={streaming} />
      )
    case "reasoning":
      return (
        <Fold
          id={id}
          title={streaming ? t("thinking") : t("thoughtProcess")}
          size={lengthWords(part.text)}
          active={streaming}
        >
          <div className="whitespace-pre-wrap break-words text-muted text-sm">{part.text}</div>
        </Fold>
      )
    case "tool":
      return <ToolCard id={id} message={message} part={part} />
    case "context":
      return (
        <Fold
          id={id}
          title={t("addedContextTitle", { title: part.title })}
          size={lengthWords(part.content)}
          icon={<TextQuote aria-hidden className="size-3.5" />}
        >
          <div className="whitespace-pre-wrap break-words text-muted text-sm">{part.content}</div>
        </Fold>
      )
    case "attachment":
      return <AttachmentView part={part} />
    case "notice":
      return (
        <p className="flex items-start gap-2 rounded-lg bg-sunken px-3 py-2 text-muted text-sm">
          <Info aria-hidden className="mt-1 size-3.5 shrink-0" />
          {part.text}
        </p>
      )
    default:
      return unreachable(part)
  }
})
