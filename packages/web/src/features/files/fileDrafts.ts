/** What was typed into a file and not saved yet, with the content it was typed over. Kept across reloads. */

import type { Keep } from "../keep/keep.ts"
import type { OwnPart } from "../keep/own.ts"

type FileDraft = {
  readonly text: string
  /** Of the content it began with: it is saved over that, and over nothing else. */
  readonly hash: string
}

export type FileDrafts = {
  readonly read: (conversation: string, path: string) => FileDraft | undefined
  readonly write: (conversation: string, path: string, draft: FileDraft | undefined) => void
}

/** Longer ones live as long as the page does: browsers keep a few megabytes for all of it. */
const MOST_KEPT = 200_000

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
      const isKept = draft !== undefined && draft.text.length <= MOST_KEPT
      keep.write(key, isKept ? JSON.stringify(draft) : undefined)
    },
  }
}

/** Whatever else a browser holds there is no draft. */
function parsed(kept: string | undefined): FileDraft | undefined {
  try {
    const { text, hash } = JSON.parse(kept ?? "") as { readonly text?: unknown; readonly hash?: unknown }
    return typeof text === "string" && typeof hash === "string" ? { text, hash } : undefined
  } catch {
    return undefined
  }
}
