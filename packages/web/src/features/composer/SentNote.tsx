import { type Note, problemWords } from "../status/problemWords.ts"

/** It was sent, but not the way it was asked for. */
export function SentNote({ note }: { readonly note: Note }) {
  const { title, detail } = problemWords(note)
  return (
    <p role="status" className="mb-2 rounded-xl bg-sunken px-3.5 py-2 text-muted text-sm">
      {title}. {detail}
    </p>
  )
}
