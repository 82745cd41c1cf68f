import type { Files } from "@parlor/client"
import type { FileChange, FileListing } from "@parlor/protocol"
import { useEffect, useState } from "react"
import { type Note, noteOf } from "../status/problemWords.ts"

export type FilesSeen = {
  readonly files: readonly FileListing[] | undefined
  readonly changes: readonly FileChange[]
  readonly problem: Note | undefined
}

/** The files and their newest changes, read again whenever `version` is another. */
export function useFiles(files: Files, isOpen: boolean, version: unknown): FilesSeen {
  const [seen, setSeen] = useState<FilesSeen>({ files: undefined, changes: [], problem: undefined })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is the reason to read again.
  useEffect(() => {
    if (!isOpen) return
    let left = false
    Promise.all([files.list(), files.changes()]).then(
      ([list, page]) => left || setSeen({ files: list, changes: page.changes, problem: undefined }),
      (error) => left || setSeen((before) => ({ ...before, problem: noteOf(error) })),
    )
    return () => {
      left = true
    }
  }, [files, isOpen, version])
  return seen
}
