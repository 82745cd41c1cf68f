import { sizeWords } from "@parlor/protocol"
import { Paperclip } from "lucide-react"
import { Empty } from "../../ui/Empty.tsx"
import { limitWords } from "./media.ts"

/** The empty state: explains how to attach files. */
export function EmptyAttachments({ most }: { readonly most: number }) {
  return (
    <Empty icon={Paperclip} title="No attachments yet">
      <p>
        In a conversation, click the paperclip in the message box, drop files onto the page, or paste an image.{" "}
        {limitWords}.
      </p>
      <p className="mt-3">
        Attachments are stored until you delete them, up to {sizeWords(most)} in total. A file you attach more than once
        is counted only once.
      </p>
    </Empty>
  )
}
