import type { Files } from "@parlor/client"
import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { type Note, noteOf, problemWords } from "../status/problemWords.ts"

export type NewFileProps = { readonly files: Files; readonly onMade: (path: string) => void }

/** Makes an empty file, or takes one from this machine. */
export function NewFile({ files, onMade }: NewFileProps) {
  const [path, setPath] = useState("")
  const [problem, setProblem] = useState<Note>()
  const make = (name: string, content: Blob | string) =>
    files.write(name, content, { was: null }).then(
      () => {
        setPath("")
        setProblem(undefined)
        onMade(name)
      },
      (error) => setProblem(noteOf(error)),
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() !== "") void make(path.trim(), "")
  }
  return (
    <form onSubmit={submit} className="mt-3 space-y-2 text-sm">
      <label className="block">
        <span className="text-muted text-xs">New file</span>
        <input
          value={path}
          onChange={(event) => setPath(event.target.value)}
          placeholder="notes/plan.md"
          className="mt-1 w-full rounded-lg border border-line-strong bg-raised px-2.5 py-1.5"
        />
      </label>
      <p className="flex flex-wrap items-center gap-2">
        <Button type="submit" disabled={path.trim() === ""}>
          Make
        </Button>
        <label className="cursor-pointer text-muted underline underline-offset-2 hover:text-ink">
          Upload
          <input
            type="file"
            className="sr-only"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              if (file) void make(path.trim() || file.name.normalize("NFC"), file)
              event.target.value = ""
            }}
          />
        </label>
      </p>
      {problem !== undefined && (
        <p role="alert" className="text-bad">
          {problemWords(problem).title}. {problemWords(problem).detail}
        </p>
      )}
    </form>
  )
}
