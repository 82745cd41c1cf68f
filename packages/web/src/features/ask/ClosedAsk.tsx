import { Check } from "lucide-react"

export function ClosedAsk({ title, words }: { readonly title: string; readonly words: string }) {
  return (
    <p className="mt-4 flex items-start gap-2 rounded-xl border border-line px-4 py-2.5 text-muted text-sm">
      <Check aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">
        {title} <span className="text-ink">{words}</span>
      </span>
    </p>
  )
}
