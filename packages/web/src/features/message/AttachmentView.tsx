import type { AttachmentPart } from "@parlor/protocol"
import { Paperclip } from "lucide-react"
import { sizeOf } from "./messageView.ts"

/** What was attached to a message: its name and how large it is. */
export function AttachmentView({ part }: { readonly part: AttachmentPart }) {
  return (
    <p className="inline-flex max-w-full items-center gap-1.5 rounded-md border border-line bg-raised px-2 py-1 text-sm">
      <Paperclip aria-hidden className="size-3.5 shrink-0 text-muted" />
      <span className="min-w-0 truncate">{part.name}</span>
      <span className="shrink-0 text-muted">{sizeOf(part.bytes)}</span>
    </p>
  )
}
