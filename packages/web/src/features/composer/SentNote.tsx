import { type Note, problemWords } from "../status/problemWords.ts"

/** The message was sent, but not in the requested mode. */
export function SentNote({ note }: { readonly note: Note }) {
  const { title, detail } = problemWords(note)
  return (
    <p role="status" className="mb-2 rounded-xl bg-sunken px-3.5 py-2 text-muted text-sm">
      {title}. {detail}
    </p>
  )
}
