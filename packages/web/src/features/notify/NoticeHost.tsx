import type { FeedRow } from "@parlor/protocol"
import { NoticeList } from "./NoticeList.tsx"
import { useNotices } from "./useNotices.ts"
import { useWish } from "./useWish.ts"

export type NoticeHostProps = {
  readonly rows: readonly FeedRow[] | undefined
  /** The conversation one sees. */
  readonly front: string | undefined
}

/** Tells of what needs the person, wherever they are. Once, beside everything. */
export function NoticeHost({ rows, front }: NoticeHostProps) {
  const { shown, dismiss, isOffered, endOffer } = useNotices(rows, front)
  const { choose } = useWish()
  return (
    <NoticeList
      shown={shown}
      onDismiss={dismiss}
      isOffered={isOffered}
      onOffer={(wish) => {
        endOffer()
        void choose(wish)
      }}
    />
  )
}
