import type { AttachmentPart } from "@parlor/protocol"
import { LoaderCircle, Paperclip } from "lucide-react"
import { useContext, useEffect, useState } from "react"
import { ReadingContext } from "../conversation/reading.ts"
import { download } from "../files/download.ts"
import { noteOf, problemWords } from "../status/problemWords.ts"
import { sizeOf } from "./messageView.ts"

/** What a browser draws without running anything in it. */
const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])

type Shown = "resting" | "loading" | { readonly picture: string } | { readonly problem: string }

/** What was attached to a message: its name and how large it is. A picture opens in its place, anything else is saved. */
export function AttachmentView({ part }: { readonly part: AttachmentPart }) {
  const attachments = useContext(ReadingContext)?.conversation.attachments
  const [shown, setShown] = useState<Shown>("resting")
  const picture = typeof shown === "object" && "picture" in shown ? shown.picture : undefined
  useEffect(() => (picture === undefined ? undefined : () => URL.revokeObjectURL(picture)), [picture])
  const isPicture = PICTURES.has(part.mediaType)
  const open = async () => {
    if (attachments === undefined || shown === "loading") return
    if (picture !== undefined) return setShown("resting")
    setShown("loading")
    try {
      const bytes = await (await attachments.read(part.hash)).arrayBuffer()
      if (isPicture) return setShown({ picture: URL.createObjectURL(new Blob([bytes], { type: part.mediaType })) })
      download(part.name, new Uint8Array(bytes))
      setShown("resting")
    } catch (error) {
      setShown({ problem: problemWords(noteOf(error)).title })
    }
  }
  const act = isPicture ? (picture === undefined ? "Show" : "Hide") : "Save"
  const Sign = shown === "loading" ? LoaderCircle : Paperclip
  return (
    <div>
      <button
        type="button"
        onClick={() => void open()}
        disabled={attachments === undefined}
        aria-label={`${act} ${part.name}, ${sizeOf(part.bytes)}`}
        className="inline-flex max-w-full items-center gap-1.5 rounded-md border border-line bg-raised px-2 py-1 text-sm enabled:hover:border-line-strong pointer-coarse:py-2"
      >
        <Sign aria-hidden className="size-3.5 shrink-0 text-muted" />
        <span data-words className="min-w-0 truncate">
          {part.name}
        </span>
        <span className="shrink-0 text-muted">{sizeOf(part.bytes)}</span>
      </button>
      {picture !== undefined && <img src={picture} alt={part.name} className="mt-1.5 max-h-96 max-w-full rounded-lg" />}
      {typeof shown === "object" && "problem" in shown && (
        <p role="alert" className="text-bad text-sm">
          {shown.problem}
        </p>
      )}
    </div>
  )
}
