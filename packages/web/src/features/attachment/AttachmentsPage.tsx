import type { Parlor } from "@parlor/client"
import { useRef } from "react"
import { t } from "../../texts/en/attachments.ts"
import { t as common } from "../../texts/en/common.ts"
import { PageFrame } from "../../ui/PageFrame.tsx"
import { Progress } from "../../ui/Progress.tsx"
import { Refused } from "../list/Refused.tsx"
import { addressOf } from "../place/place.ts"
import { AttachmentList } from "./AttachmentList.tsx"
import { roomPercent, roomWords } from "./attachmentsView.ts"
import { useShelf } from "./useShelf.ts"

export type AttachmentsPageProps = {
  readonly parlor: Parlor
  /** The conversation to go back to. */
  readonly agent: string
  readonly branch: string
  readonly onRefused: () => void
}

/** This person's attachments: list, open and delete them, and see how much storage they use (CMP-15). */
export function AttachmentsPage({ parlor, agent, branch, onRefused }: AttachmentsPageProps) {
  const { shelf, note, isLoadingMore, reload, loadMore, remove } = useShelf(parlor, onRefused)
  const room = useRef<HTMLElement>(null)
  return (
    <PageFrame title={t("attachments")} back={{ href: addressOf(agent, branch), to: agent }}>
      <Refused note={note} onRetry={reload} />
      {shelf === undefined && note === undefined && (
        <p className="mt-6 animate-late text-muted text-sm">{common("loading")}</p>
      )}
      {shelf !== undefined && (
        <>
          <section ref={room} tabIndex={-1} aria-label={t("storage")}>
            <p role="status" className="font-medium tabular-nums">
              {roomWords(shelf)}
            </p>
            <Progress label={t("storageUsed")} percent={roomPercent(shelf)} className="mt-2" />
            {shelf.attachments.length > 0 && <p className="mt-2 text-muted text-sm">{t("everyFile")}</p>}
          </section>
          <AttachmentList
            attachments={parlor.attachments}
            shelf={shelf}
            isLoadingMore={isLoadingMore}
            onMore={loadMore}
            onDelete={remove}
            onEmptied={() => room.current?.focus()}
          />
        </>
      )}
    </PageFrame>
  )
}
