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
  /** The content it has now; null when it is not there. */
  readonly hash: string | null
  /** Something changed: read again. */
  readonly version: unknown
  readonly onPutBack: () => void
}

/** Everything that became of one file, newest first; every state of it can be had again (WSP-4). */
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
        <p className="text-muted text-sm">Nothing is known of what it was before: it was put on disk by hand.</p>
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
                  Put back what was before
                </Button>
              )}
            </p>
            <Diff diff={change.diff} />
          </li>
        ))}
      </ol>
      {hasMore && <Button onClick={more}>Show earlier ones</Button>}
    </section>
  )
}
