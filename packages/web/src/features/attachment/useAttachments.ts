import type { Parlor } from "@parlor/client"
import { useCallback, useSyncExternalStore } from "react"
import { ownDrafts } from "../draft/draft.ts"
import { useOwnPart } from "../keep/OwnContext.ts"
import { attachedList, attachedWith } from "./attached.ts"
import type { Upload } from "./uploads.ts"
import { ownUploads } from "./uploads.ts"

/** Uploads files for a conversation and adds them to its draft, even when another conversation is open. */
export function useAttach(parlor: Pick<Parlor, "attachments">, conversation: string): (files: readonly File[]) => void {
  const drafts = useOwnPart(ownDrafts)
  const uploads = useOwnPart(ownUploads)
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
    [parlor, conversation, drafts, uploads],
  )
}

export function useUploads(conversation: string): readonly Upload[] {
  const uploads = useOwnPart(ownUploads)
  const read = () => uploads.read(conversation)
  return useSyncExternalStore(uploads.subscribe, read, read)
}
