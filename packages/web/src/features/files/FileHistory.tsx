import type { Files } from "@parlor/client"
import type { FileChange } from "@parlor/protocol"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { changeWords } from "./changeGroups.ts"
import { Diff } from "./Diff.tsx"
import { whoWords } from "./fileTree.ts"
import { useChanges } from "./useFiles.ts"

export type FileHistoryProps = {
  readonly files: Files
  readonly path: string
  /** The hash of the current content; null when the file doesn't exist. */
  readonly hash: string | null
  /** Changes when the history must be reloaded. */
  readonly version: unknown
  readonly onPutBack: () => void
}

/** The history of one file, newest first; every earlier version can be restored (WSP-4). */
export function FileHistory({ files, path, hash, version, onPutBack }: FileHistoryProps) {
  const { changes, problem, hasMore, more } = useChanges(files, path, version)
  const [refusal, setRefusal] = useState<Note>()
  const putBack = async ({ id }: FileChange) => {
    try {
      const { bytes } = await files.read(path, { before: id })
      await files.write(path, bytes, { was: hash })
      setRefusal(undefined)
      onPutBack()
    } catch (error) {
      setRefusal(noteOf(error))
    }
  }
  return (
    <section aria-label={`History of ${path}`} className="space-y-5 p-4">
      {(problem ?? refusal) && <Alert note={problem ?? refusal ?? { code: "", detail: "" }} />}
      {changes === undefined && problem === undefined && <p className="animate-late text-muted text-sm">Loading…</p>}
      {changes?.length === 0 && (
        <p className="text-muted text-sm">No history: this file was added to the folder outside Parlor.</p>
      )}
      <ol className="space-y-5">
        {changes?.map((change) => (
          <li key={change.id}>
            <p className="flex flex-wrap items-center gap-2 text-sm">
              <span>
                <span className="font-medium">{whoWords(change.by)}</span>{" "}
                <span className="text-muted">
                  {changeWords(change)} it · {new Date(change.at).toLocaleString()}
                </span>
              </span>
              {change.before !== null && change.before !== hash && (
                <Button className="ml-auto" onClick={() => putBack(change)}>
                  Restore previous version
                </Button>
              )}
            </p>
            <Diff diff={change.diff} />
          </li>
        ))}
      </ol>
      {hasMore && <Button onClick={more}>Show earlier changes</Button>}
    </section>
  )
}
