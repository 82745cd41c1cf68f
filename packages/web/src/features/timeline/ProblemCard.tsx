import { CircleAlert } from "lucide-react"
import { type Note, problemWords } from "../status/problemWords.ts"

export function ProblemCard({ note }: { readonly note: Note | null }) {
  const { title, detail } = problemWords(note)
  return (
    <div role="alert" className="mt-6 flex gap-3 rounded-xl bg-bad-tint px-4 py-3">
      <CircleAlert aria-hidden className="mt-0.5 size-[1.1rem] shrink-0 text-bad" />
      <div className="min-w-0">
        <p className="font-semibold text-bad">{title}</p>
        <p className="break-words text-sm">{detail}</p>
      </div>
    </div>
  )
}
