import type { FeedRow } from "@parlor/protocol"
import { NewsList } from "./NewsList.tsx"
import { useNews } from "./useNews.ts"
import { useWish } from "./useWish.ts"

export type NewsHostProps = {
  readonly rows: readonly FeedRow[] | undefined
  /** The visible conversation. */
  readonly front: string | undefined
}

/** Shows notifications, in the page and on the desktop. Rendered once. */
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
