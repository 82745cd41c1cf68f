import { type Part, unreachable } from "@parlor/protocol"
import { Info, TextQuote } from "lucide-react"
import { memo } from "react"
import { LazyMarkdown } from "../markdown/LazyMarkdown.tsx"
import { AttachmentView } from "./AttachmentView.tsx"
import { Fold } from "./Fold.tsx"
import { foldId } from "./folds.ts"
import { lengthWords } from "./messageView.ts"
import { ToolCard } from "./ToolCard.tsx"

export type PartViewProps = {
  readonly message: string
  readonly index: number
  readonly part: Part
  readonly streaming: boolean
}

export const PartView = memo(function PartView({ message, index, part, streaming }: PartViewProps) {
  const id = foldId(message, index)
  switch (part.type) {
    case "text":
      return <LazyMarkdown text={part.text} streaming={streaming} />
    case "reasoning":
      return (
        <Fold
          id={id}
          title={streaming ? "Thinking…" : "Thought process"}
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
          title={`Added context: ${part.title}`}
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
