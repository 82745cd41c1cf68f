import type { LiveState, Parlor } from "@parlor/client"
import { FileText, X } from "lucide-react"
import { useEffect, useMemo, useRef, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { problemWords } from "../status/problemWords.ts"
import { ChangeList } from "./ChangeList.tsx"
import { FileTree } from "./FileTree.tsx"
import { NewFile } from "./NewFile.tsx"
import { OpenFile } from "./OpenFile.tsx"
import { useFiles } from "./useFiles.ts"

export type FilesDeskProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch?: string
  readonly state: LiveState | undefined
}

/** The files of the conversation in front: a button that says how many there are, and what opens behind it (WSP-4). */
export function FilesDesk({ parlor, agent, branch, state }: FilesDeskProps) {
  const files = useMemo(() => parlor.conversation(agent, branch).files, [parlor, agent, branch])
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [path, setPath] = useState<string>()
  const seen = useFiles(files, isOpen, state?.changes)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  const count = state?.status?.files ?? 0
  const list = seen.files ?? []
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-haspopup="dialog">
        <FileText aria-hidden className="size-3.5" /> <span className="max-md:sr-only">Files</span>
        {count > 0 && ` ${count}`}
      </Button>
      <dialog
        ref={dialog}
        aria-label={`Files of ${agent}`}
        onClose={() => setOpen(false)}
        className="m-auto h-[85dvh] w-[min(64rem,94vw)] rounded-xl border border-line bg-page p-0 text-ink shadow-float"
      >
        {isOpen && (
          <div className="flex h-full flex-col">
            <header className="flex items-center gap-2 border-line border-b px-4 py-2.5">
              <h2 className="font-semibold">Files</h2>
              <Button className="ml-auto" onClick={() => setPath(undefined)} disabled={path === undefined}>
                Changes
              </Button>
              <IconButton label="Close" onClick={() => setOpen(false)}>
                <X className="size-4" />
              </IconButton>
            </header>
            <div className="flex min-h-0 flex-1 max-md:flex-col">
              <nav aria-label="Tree" className="w-72 shrink-0 overflow-y-auto border-line border-r p-3 max-md:w-full">
                {seen.problem !== undefined && <p role="alert">{problemWords(seen.problem).title}</p>}
                {seen.files !== undefined && list.length === 0 && <p className="text-muted text-sm">No files yet.</p>}
                <FileTree files={list} open={path} onOpen={setPath} />
                <NewFile files={files} onMade={setPath} />
              </nav>
              <div className="flex min-w-0 flex-1 flex-col overflow-y-auto p-4">
                {path === undefined ? (
                  <ChangeList changes={seen.changes} />
                ) : (
                  <OpenFile key={path} files={files} path={path} onDeleted={() => setPath(undefined)} />
                )}
              </div>
            </div>
          </div>
        )}
      </dialog>
    </>
  )
}
