import type { Files } from "@parlor/client"
import type { FileChange, FileListing } from "@parlor/protocol"
import { useMemo, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/files.ts"
import { Button } from "../../ui/Button.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { ChangeList } from "./ChangeList.tsx"
import { useChanges } from "./useFiles.ts"

export type ChangesProps = {
  readonly files: Files
  readonly version: unknown
  readonly there: readonly FileListing[] | undefined
  readonly onOpen: (path: string) => void
  readonly onChanged: () => void
}

/** Changes of all files by turn; deleted files can be restored. */
export function Changes({ files, version, there, onOpen, onChanged }: ChangesProps) {
  const { changes, problem, hasMore, more } = useChanges(files, undefined, version)
  const [refusal, setRefusal] = useState<Note>()
  const paths = useMemo(() => new Set((there ?? []).map(({ path }) => path)), [there])
  const putBack = async ({ id, path }: FileChange) => {
    try {
      const { bytes } = await files.read(path, { before: id })
      await files.write(path, bytes, { was: null })
      setRefusal(undefined)
      onChanged()
      onOpen(path)
    } catch (error) {
      setRefusal(noteOf(error))
    }
  }
  const note = problem ?? refusal
  return (
    <section aria-label={t("changes")} className="min-h-0 min-w-0 flex-1 space-y-4 overflow-y-auto p-4">
      {note && <Alert note={note} />}
      {changes === undefined && problem === undefined && (
        <p className="animate-late text-muted text-sm">{common("loading")}</p>
      )}
      {changes?.length === 0 && <p className="text-muted text-sm">{t("noChanges")}</p>}
      <ChangeList changes={changes ?? []} there={paths} onOpen={onOpen} onPutBack={putBack} />
      {hasMore && <Button onClick={more}>{t("earlierChanges")}</Button>}
    </section>
  )
}
