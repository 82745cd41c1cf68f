/** Unsaved edits of files, with the version they are based on. Kept across reloads. */

import type { Keep } from "../keep/keep.ts"
import type { OwnPart } from "../keep/own.ts"

type FileDraft = {
  readonly text: string
  /** The hash of the version the edit is based on; saving requires it. */
  readonly hash: string
}

export type FileDrafts = {
  readonly read: (conversation: string, path: string) => FileDraft | undefined
  readonly write: (conversation: string, path: string, draft: FileDraft | undefined) => void
}

/** Longer drafts are kept in memory only: browsers store only a few megabytes per site. */
const MAX_KEPT = 200_000

export const ownFileDrafts: OwnPart<FileDrafts> = ({ keep }) => fileDraftsIn(keep)

export function fileDraftsIn(keep: Keep): FileDrafts {
  const keyOf = (conversation: string, path: string) => `file-draft.${conversation}/${path}`
  const known = new Map<string, FileDraft | undefined>()
  return {
    read: (conversation, path) => {
      const key = keyOf(conversation, path)
      return known.has(key) ? known.get(key) : parsed(keep.read(key))
    },
    write: (conversation, path, draft) => {
      const key = keyOf(conversation, path)
      known.set(key, draft)
      const isKept = draft !== undefined && draft.text.length <= MAX_KEPT
      keep.write(key, isKept ? JSON.stringify(draft) : undefined)
    },
  }
}

/** Anything else in storage is ignored. */
function parsed(kept: string | undefined): FileDraft | undefined {
  try {
    const { text, hash } = JSON.parse(kept ?? "") as { readonly text?: unknown; readonly hash?: unknown }
    return typeof text === "string" && typeof hash === "string" ? { text, hash } : undefined
  } catch {
    return undefined
  }
}
