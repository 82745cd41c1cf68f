import type { Files } from "@parlor/client"
import type { FileChange } from "@parlor/protocol"
import { useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/files.ts"
import { momentText } from "../../texts/format.ts"
import { rich } from "../../texts/rich.ts"
import { Button } from "../../ui/Button.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { changeKind } from "./changeGroups.ts"
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

const inHistory = { created: "createdIt", changed: "changedIt", deleted: "deletedIt" } as const

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
    <section aria-label={t("historyOf", { path })} className="space-y-5 p-4">
      {(problem ?? refusal) && <Alert note={problem ?? refusal ?? { code: "", detail: "" }} />}
      {changes === undefined && problem === undefined && (
        <p className="animate-late text-muted text-sm">{common("loading")}</p>
      )}
      {changes?.length === 0 && <p className="text-muted text-sm">{t("noHistory")}</p>}
      <ol className="space-y-5">
        {changes?.map((change) => (
          <li key={change.id}>
            <p className="flex flex-wrap items-center gap-2 text-sm">
              <span className="text-muted">
                {rich(
                  t.pieces(inHistory[changeKind(change)], {
                    who: <span className="font-medium text-ink">{whoWords(change.by)}</span>,
                    when: momentText(change.at),
                  }),
                )}
              </span>
              {change.before !== null && change.before !== hash && (
                <Button className="ml-auto" onClick={() => putBack(change)}>
                  {t("restorePrevious")}
                </Button>
              )}
            </p>
            <Diff diff={change.diff} />
          </li>
        ))}
      </ol>
      {hasMore && <Button onClick={more}>{t("earlierChanges")}</Button>}
    </section>
  )
}
