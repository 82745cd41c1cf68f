import { type AttachmentPart, sizeWords } from "@parlor/protocol"
import { LoaderCircle, Paperclip } from "lucide-react"
import { useContext } from "react"
import { Opened } from "../attachment/Opened.tsx"
import { useOpened } from "../attachment/useOpened.ts"
import { ReadingContext } from "./reading.ts"

/** An attachment of a message: name and size. An image opens in place, anything else is downloaded. */
export function AttachmentView({ part }: { readonly part: AttachmentPart }) {
  const attachments = useContext(ReadingContext)?.conversation.attachments
  const opened = useOpened(attachments, part)
  const Sign = opened.isLoading ? LoaderCircle : Paperclip
  return (
    <div>
      <button
        type="button"
        onClick={() => void opened.open()}
        disabled={attachments === undefined}
        aria-label={`${opened.act} ${part.name}, ${sizeWords(part.bytes)}`}
        className="inline-flex max-w-full items-center gap-1.5 rounded-md border border-line bg-raised px-2 py-1 text-sm enabled:hover:border-line-strong pointer-coarse:py-2"
      >
        <Sign aria-hidden className="size-3.5 shrink-0 text-muted" />
        <span data-words className="min-w-0 truncate">
          {part.name}
        </span>
        <span className="shrink-0 text-muted">{sizeWords(part.bytes)}</span>
      </button>
      <Opened opened={opened} name={part.name} />
    </div>
  )
}
