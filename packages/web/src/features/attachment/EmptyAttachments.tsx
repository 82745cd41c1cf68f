import { sizeWords } from "@parlor/protocol"
import { Paperclip } from "lucide-react"
import { Empty } from "../../ui/Empty.tsx"
import { limitWords } from "./media.ts"

/** Nothing is attached: how something comes to be here. */
export function EmptyAttachments({ most }: { readonly most: number }) {
  return (
    <Empty icon={Paperclip} title="Nothing is attached yet">
      <p>
        In a conversation, press the paperclip in the box, drop files onto the page, or paste a picture while you write.{" "}
        {limitWords}.
      </p>
      <p className="mt-3">
        What you attach is kept here until you delete it, up to {sizeWords(most)} in all. The same file takes its room
        once, however often you attach it.
      </p>
    </Empty>
  )
}
