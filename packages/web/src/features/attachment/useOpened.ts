import type { Parlor } from "@parlor/client"
import type { AttachmentView } from "@parlor/protocol"
import { useEffect, useRef, useState } from "react"
import { download } from "../../ui/download.ts"
import { noteOf, problemWords } from "../status/problemWords.ts"
import { isPicture } from "./media.ts"

export type OpenedState = {
  /** What `open` does next, as a key of the texts. */
  readonly act: "showName" | "hideName" | "downloadName"
  readonly isLoading: boolean
  /** The image's URL while it is shown. */
  readonly picture: string | undefined
  readonly problem: string | undefined
  readonly open: () => Promise<void>
}

type Shown = "resting" | "loading" | { readonly picture: string } | { readonly problem: string }

/**
 * Opens an attachment: an image is shown in place, anything else is downloaded. Without `attachments` it can't be read.
 */
export function useOpened(
  attachments: Pick<Parlor["attachments"], "read"> | undefined,
  { hash, name, mediaType }: Pick<AttachmentView, "hash" | "name" | "mediaType">,
): OpenedState {
  const [shown, setShown] = useState<Shown>("resting")
  const picture = typeof shown === "object" && "picture" in shown ? shown.picture : undefined
  const problem = typeof shown === "object" && "problem" in shown ? shown.problem : undefined
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  useEffect(() => (picture === undefined ? undefined : () => URL.revokeObjectURL(picture)), [picture])
  const open = async () => {
    if (attachments === undefined || shown === "loading") return
    if (picture !== undefined) return setShown("resting")
    setShown("loading")
    try {
      const bytes = await (await attachments.read(hash)).arrayBuffer()
      if (!isHere.current) return
      if (isPicture(mediaType))
        return setShown({ picture: URL.createObjectURL(new Blob([bytes], { type: mediaType })) })
      download(name, new Uint8Array(bytes))
      setShown("resting")
    } catch (error) {
      setShown({ problem: problemWords(noteOf(error)).title })
    }
  }
  const act = isPicture(mediaType) ? (picture === undefined ? "showName" : "hideName") : "downloadName"
  return { act, isLoading: shown === "loading", picture, problem, open }
}
