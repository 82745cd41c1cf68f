import type { Files } from "@parlor/client"
import type { FileListing } from "@parlor/protocol"
import { useEffect, useState } from "react"

/** The workspace's files, loaded each time the picker opens. Empty on failure. */
export function useFilesOffered(files: Files, isOpen: boolean): readonly FileListing[] | undefined {
  const [known, setKnown] = useState<readonly FileListing[]>()
  useEffect(() => {
    if (!isOpen) return
    let left = false
    files.list().then(
      (list) => left || setKnown(list),
      () => left || setKnown((before) => before ?? []),
    )
    return () => {
      left = true
    }
  }, [files, isOpen])
  return known
}
