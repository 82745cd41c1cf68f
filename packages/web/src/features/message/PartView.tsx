import { type Part, unreachable } from "@parlor/protocol"
import { Info, Paperclip, TextQuote } from "lucide-react"
import { LazyMarkdown } from "../markdown/LazyMarkdown.tsx"
import { Fold } from "./Fold.tsx"
import { ToolCard } from "./ToolCard.tsx"

export function PartView({ part, streaming }: { readonly part: Part; readonly streaming: boolean }) {
  switch (part.type) {
    case "text":
      return <LazyMarkdown text={part.text} streaming={streaming} />
    case "reasoning":
      return (
        <Fold title={streaming ? "Thinking…" : "Thought about it"} active={streaming}>
          <div className="whitespace-pre-wrap break-words text-muted text-sm">{part.text}</div>
        </Fold>
      )
    case "tool":
      return <ToolCard part={part} />
    case "context":
      return (
        <Fold title={`Added context: ${part.title}`} icon={<TextQuote aria-hidden className="size-3.5" />}>
          <div className="whitespace-pre-wrap break-words text-muted text-sm">{part.content}</div>
        </Fold>
      )
    case "attachment":
      return (
        <p className="inline-flex items-center gap-1.5 rounded-md border border-line bg-raised px-2 py-1 text-sm">
          <Paperclip aria-hidden className="size-3.5 text-muted" />
          {part.name} <span className="text-muted">{sizeOf(part.bytes)}</span>
        </p>
      )
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
}

function sizeOf(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  return bytes < 1_048_576 ? `${Math.round(bytes / 1_024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`
}
