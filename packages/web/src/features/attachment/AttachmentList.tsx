import type { Parlor } from "@parlor/client"
import { t } from "../../texts/en/attachments.ts"
import { t as common } from "../../texts/en/common.ts"
import { Button } from "../../ui/Button.tsx"
import { useKeptFocus } from "../../ui/useKeptFocus.ts"
import { AttachmentItem } from "./AttachmentItem.tsx"
import type { Shelf } from "./attachmentsView.ts"
import { EmptyAttachments } from "./EmptyAttachments.tsx"

export type AttachmentListProps = {
  readonly attachments: Pick<Parlor["attachments"], "read">
  readonly shelf: Shelf
  readonly isLoadingMore: boolean
  readonly onMore: () => void
  readonly onDelete: (hash: string) => void
  /** Takes the focus when the list is empty. */
  readonly onEmptied: () => void
}

/** Newest first. When one is deleted, or the last page is loaded, the focus moves to the next item. */
export function AttachmentList(props: AttachmentListProps) {
  const { attachments, shelf, isLoadingMore, onMore, onDelete, onEmptied } = props
  const { list, ...focusing } = useKeptFocus(shelf.attachments.map(({ hash }) => hash).join(), onEmptied)
  if (shelf.attachments.length === 0) return <EmptyAttachments most={shelf.most} />
  return (
    <ol ref={list} aria-label={t("attachments")} className="mt-5 space-y-2" {...focusing}>
      {shelf.attachments.map((attachment) => (
        <AttachmentItem key={attachment.hash} attachments={attachments} attachment={attachment} onDelete={onDelete} />
      ))}
      {shelf.hasMore && (
        <li className="pt-2 text-center">
          <Button look="pill" onClick={onMore} disabled={isLoadingMore}>
            {isLoadingMore ? common("loading") : t("loadMore")}
          </Button>
        </li>
      )}
    </ol>
  )
}
