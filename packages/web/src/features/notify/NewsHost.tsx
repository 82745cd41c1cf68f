import type { FeedRow } from "@parlor/protocol"
import { NewsList } from "./NewsList.tsx"
import { useNews } from "./useNews.ts"
import { useWish } from "./useWish.ts"

export type NewsHostProps = {
  readonly rows: readonly FeedRow[] | undefined
  /** The conversation one sees. */
  readonly front: string | undefined
}

/** Tells of what needs the person, wherever they are. Once, beside everything. */
export function NewsHost({ rows, front }: NewsHostProps) {
  const { shown, dismiss, isOffered, endOffer } = useNews(rows, front)
  const { choose } = useWish()
  return (
    <NewsList
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
