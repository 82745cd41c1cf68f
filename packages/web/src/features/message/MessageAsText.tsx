import type { MessageRow } from "@parlor/protocol"
import { t } from "../../texts/en/message.ts"
import { authorName, readable } from "./messageView.ts"

export type MessageAsTextProps = { readonly message: MessageRow; readonly agent: string }

/** The plain text of a message that fails to render. Renders nothing that could fail again (SEC-36). */
export function MessageAsText({ message, agent }: MessageAsTextProps) {
  const name = authorName(message, agent)
  return (
    <article aria-label={name} className="pt-7">
      <p className="font-semibold text-sm">{name}</p>
      <p className="whitespace-pre-wrap break-words">{textOfParts(message.parts)}</p>
      <p className="mt-2 text-muted text-sm">{t("thisMessageIsShownAs")}</p>
    </article>
  )
}

/** The text of the parts, even if one of them is broken. */
function textOfParts(parts: unknown): string {
  return (Array.isArray(parts) ? parts : [parts]).map(wordsOf).filter(Boolean).join("\n\n")
}

function wordsOf(part: unknown): string {
  if (typeof part !== "object" || part === null) return ""
  const { text } = part as { readonly text?: unknown }
  return typeof text === "string" ? text : readable(part)
}
