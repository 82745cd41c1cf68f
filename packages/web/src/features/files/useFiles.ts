import type { Files } from "@parlor/client"
import type { FileChange, FileListing } from "@parlor/protocol"
import { useCallback, useEffect, useState } from "react"
import { latestOf } from "../list/latest.ts"
import { type Note, noteOf } from "../status/problemWords.ts"

export type FilesSeen = {
  readonly files: readonly FileListing[] | undefined
  readonly problem: Note | undefined
  readonly reload: () => void
}

/** The files, reloaded when `version` changes. */
export function useFiles(files: Files, version: unknown): FilesSeen {
  const [list, setList] = useState<readonly FileListing[]>()
  const [problem, setProblem] = useState<Note>()
  const [latest] = useState(latestOf)
  const reload = useCallback(() => {
    void latest(files.list(), {
      onAnswer: (found) => {
        setList(found)
        setProblem(undefined)
      },
      onRefusal: (error) => setProblem(noteOf(error)),
    })
  }, [files, latest])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version triggers the reload.
  useEffect(reload, [reload, version])
  return { files: list, problem, reload }
}

export type ChangesSeen = {
  readonly changes: readonly FileChange[] | undefined
  readonly problem: Note | undefined
  readonly hasMore: boolean
  readonly more: () => void
}

type Seen = { readonly changes: readonly FileChange[]; readonly cursor: string | null }

/** The changes of all files or of one, newest first. Reloaded from the newest when `version` changes. */
export function useChanges(files: Files, path: string | undefined, version: unknown): ChangesSeen {
  const [seen, setSeen] = useState<Seen>()
  const [problem, setProblem] = useState<Note>()
  const [latest] = useState(latestOf)
  const load = useCallback(
    (before: Seen | undefined) => {
      const cursor = before?.cursor ?? undefined
      const query = { ...(path === undefined ? {} : { path }), ...(cursor === undefined ? {} : { cursor }) }
      void latest(files.changes(query), {
        onAnswer: (page) => {
          setSeen({ changes: [...(before?.changes ?? []), ...page.changes], cursor: page.cursor })
          setProblem(undefined)
        },
        onRefusal: (error) => setProblem(noteOf(error)),
      })
    },
    [files, path, latest],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version triggers the reload.
  useEffect(() => load(undefined), [load, version])
  return {
    changes: seen?.changes,
    problem,
    hasMore: seen !== undefined && seen.cursor !== null,
    more: () => load(seen),
  }
}
