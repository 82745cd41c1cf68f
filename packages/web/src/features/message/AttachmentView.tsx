import type { Parlor } from "@parlor/client"
import { type AttachmentPart, sizeWords } from "@parlor/protocol"
import { LoaderCircle, Paperclip } from "lucide-react"
import { useContext, useEffect, useRef, useState } from "react"
import { t } from "../../texts/en/attachment.ts"
import { isPicture } from "../attachment/media.ts"
import { Opened } from "../attachment/Opened.tsx"
import { useOpened } from "../attachment/useOpened.ts"
import { ReadingContext } from "./reading.ts"

/** Larger pictures are shown when they are asked for. */
const MAX_SHOWN_BYTES = 5 * 1024 * 1024

export type AttachmentViewProps = {
  readonly part: AttachmentPart
  /** Where it is read; by default from the conversation's person. */
  readonly attachments?: Pick<Parlor["attachments"], "read">
}

/** An attachment of a message: name and size. A picture is shown, anything else is downloaded (MSG-14). */
export function AttachmentView({ part, attachments: given }: AttachmentViewProps) {
  const own = useContext(ReadingContext)?.conversation.attachments
  const attachments = given ?? own
  const opened = useOpened(attachments, part)
  const isThumbnail = isPicture(part.mediaType) && part.bytes <= MAX_SHOWN_BYTES && attachments !== undefined
  const [isAsked, setAsked] = useState(false)
  const open = useRef(opened.open)
  open.current = opened.open
  useEffect(() => {
    if (isThumbnail) void open.current()
  }, [isThumbnail])
  const act = () => {
    setAsked(true)
    void opened.open()
  }
  const Sign = opened.isLoading ? LoaderCircle : Paperclip
  return (
    <div>
      <button
        type="button"
        onClick={act}
        disabled={attachments === undefined}
        aria-label={t(opened.act, { name: `${part.name}, ${sizeWords(part.bytes)}` })}
        className="inline-flex max-w-full items-center gap-1.5 rounded-md border border-line bg-raised px-2 py-1 text-sm enabled:hover:border-line-strong pointer-coarse:py-2"
      >
        <Sign aria-hidden className="size-3.5 shrink-0 text-muted" />
        <span data-words className="min-w-0 truncate">
          {part.name}
        </span>{" "}
        <span className="shrink-0 text-muted">{sizeWords(part.bytes)}</span>
      </button>
      {/* Its height is reserved, so that nothing moves when it arrives. A picture that is gone is told when it is asked for. */}
      <div className={isThumbnail && !isAsked && opened.problem === undefined ? "h-52" : undefined}>
        <Opened opened={isAsked ? opened : { ...opened, problem: undefined }} name={part.name} />
      </div>
    </div>
  )
}
