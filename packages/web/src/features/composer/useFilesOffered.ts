import type { Files } from "@parlor/client"
import type { FileListing } from "@parlor/protocol"
import { useEffect, useState } from "react"

/** The workspace's files, loaded each time the picker opens. Empty on failure, and before the conversation exists. */
export function useFilesOffered(files: Files | undefined, isOpen: boolean): readonly FileListing[] | undefined {
  const [known, setKnown] = useState<readonly FileListing[]>()
  useEffect(() => {
    if (!isOpen) return
    let left = false
    const listed = files?.list() ?? Promise.resolve([])
    listed.then(
      (list) => left || setKnown(list),
      () => left || setKnown((before) => before ?? []),
    )
    return () => {
      left = true
    }
  }, [files, isOpen])
  return known
}
