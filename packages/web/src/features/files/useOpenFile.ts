import type { FileRead, Files } from "@parlor/client"
import type { FileListing } from "@parlor/protocol"
import { useCallback, useEffect, useState } from "react"
import { latestOf } from "../list/latest.ts"
import { type Note, noteOf } from "../status/problemWords.ts"
import { previewKey, previews } from "./previews.ts"

export type OpenedFile = {
  readonly read: FileRead | undefined
  readonly problem: Note | undefined
  readonly reload: () => void
}

/** One file, read when it is opened and when its content changes. Uses the cache. */
export function useOpenFile(
  files: Files,
  conversation: string,
  { path, hash }: Pick<FileListing, "path" | "hash">,
): OpenedFile {
  const [read, setRead] = useState<FileRead>()
  const [problem, setProblem] = useState<Note>()
  const [latest] = useState(latestOf)
  const reload = useCallback(() => {
    const known = hash === null ? undefined : previews.take(previewKey(conversation, path, hash))
    void latest(known === undefined ? files.read(path) : Promise.resolve(known), {
      onAnswer: (found) => {
        previews.keep(previewKey(conversation, path, found.hash), found)
        setRead(found)
        setProblem(undefined)
      },
      onRefusal: (error) => setProblem(noteOf(error)),
    })
  }, [files, conversation, path, hash, latest])
  useEffect(reload, [reload])
  return { read, problem, reload }
}
