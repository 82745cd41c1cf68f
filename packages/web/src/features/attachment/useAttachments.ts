import type { Parlor } from "@parlor/client"
import { useCallback, useSyncExternalStore } from "react"
import { drafts } from "../composer/draft.ts"
import { attachedList, attachedWith } from "./attached.ts"
import { type Upload, uploads } from "./uploads.ts"

/** Takes files for a conversation: they are uploaded, and become part of its draft, whatever is in front meanwhile. */
export function useAttach(parlor: Pick<Parlor, "attachments">, conversation: string): (files: readonly File[]) => void {
  return useCallback(
    (files) =>
      uploads.add(
        {
          conversation,
          attach: (file, options) => parlor.attachments.add(file, options),
          attached: () => attachedList(drafts.read(conversation)).length,
          done: (view) => drafts.write(conversation, attachedWith(drafts.read(conversation), view)),
        },
        files,
      ),
    [parlor, conversation],
  )
}

export function useUploads(conversation: string): readonly Upload[] {
  const read = () => uploads.read(conversation)
  return useSyncExternalStore(uploads.subscribe, read, read)
}
