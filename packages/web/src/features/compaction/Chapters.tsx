import type { Conversation } from "@parlor/client"
import type { ArchiveRow } from "@parlor/protocol"
import { BookOpen } from "lucide-react"
import { useCallback, useEffect, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { noteOf, problemWords } from "../status/problemWords.ts"
import { chapterLine } from "./chapterLine.ts"

export type ChaptersProps = {
  readonly conversation: Conversation
  /** What the conversation is busy with: the list is read again when that changes. */
  readonly busyWith: string | null
}

/** The older chapters of a conversation: what was summed up for the model, to read and to take back (CPT-6). */
export function Chapters({ conversation, busyWith }: ChaptersProps) {
  const [isOpen, setOpen] = useState(false)
  const [archives, setArchives] = useState<readonly ArchiveRow[]>()
  const [problem, setProblem] = useState<unknown>()
  const load = useCallback(
    () => conversation.archives.list().then(setArchives, (error: unknown) => setProblem(error)),
    [conversation],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it is busy with is why the list may have changed.
  useEffect(() => {
    if (isOpen) void load()
  }, [isOpen, load, busyWith])
  const act = async (work: () => Promise<unknown>) => {
    setProblem(undefined)
    await work().then(load, (error: unknown) => setProblem(error))
  }
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-haspopup="dialog">
        <BookOpen aria-hidden className="size-3.5" /> <span className="max-md:sr-only">Chapters</span>
      </Button>
      <Dialog title="Chapters" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="text-muted text-sm">
          Compacting sums up what was said, for the model only. Nothing is deleted, and it can be undone.
        </p>
        <Button className="mt-3" disabled={busyWith !== null} onClick={() => act(() => conversation.compact())}>
          {busyWith === "compaction" ? "Compacting…" : "Compact now"}
        </Button>
        {problem !== undefined && (
          <p role="alert" className="mt-3">
            {problemWords(noteOf(problem)).title}
          </p>
        )}
        {archives?.length === 0 && <p className="mt-3">Nothing was compacted yet.</p>}
        <ul className="mt-3 space-y-3" aria-label="Chapters">
          {archives?.map((archive) => (
            <li key={archive.id} className={archive.ended === null ? undefined : "opacity-60"}>
              <details>
                <summary className="cursor-pointer">
                  {archive.title} <span className="text-muted text-sm">{chapterLine(archive)}</span>
                </summary>
                <p className="mt-1 whitespace-pre-wrap border-line border-l pl-3 text-sm">{archive.summary}</p>
              </details>
              {archive.ended === null && (
                <Button
                  className="mt-1"
                  disabled={busyWith !== null}
                  onClick={() => act(() => conversation.archives.undo(archive.id))}
                >
                  Undo
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
