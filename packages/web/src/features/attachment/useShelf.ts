import type { Parlor } from "@parlor/client"
import { limits } from "@parlor/protocol"
import { useCallback, useRef, useState } from "react"
import { useAsked } from "../list/useList.ts"
import type { Note } from "../status/problemWords.ts"
import { deleteOnce, readShelf, type Shelf } from "./attachmentsView.ts"

const PAGE = limits.listAttachmentsDefault

export type ShelfState = {
  /** Undefined until the first load is done. */
  readonly shelf: Shelf | undefined
  readonly note: Note | undefined
  readonly isLoadingMore: boolean
  readonly reload: () => Promise<void>
  readonly loadMore: () => Promise<void>
  readonly remove: (hash: string) => Promise<boolean>
}

/** This person's attachments, reloaded after each deletion and when the window becomes visible again. */
export function useShelf(parlor: Pick<Parlor, "attachments">, onRefused: () => void): ShelfState {
  const { attachments } = parlor
  /** Every reload uses the last requested count. */
  const wanted = useRef<number>(PAGE)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const read = useCallback(() => readShelf(attachments, wanted.current), [attachments])
  const { answer: shelf, note, reload, act } = useAsked(read, { onRefused })
  const loadMore = async () => {
    wanted.current = (shelf?.attachments.length ?? 0) + PAGE
    setLoadingMore(true)
    await reload()
    setLoadingMore(false)
  }
  return { shelf, note, isLoadingMore, reload, loadMore, remove: (hash) => act(() => deleteOnce(attachments, hash)) }
}
