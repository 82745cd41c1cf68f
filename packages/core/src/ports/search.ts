/**
 * Full-text search over one person's messages and archives in all their conversations, and their memories (CPT-7,
 * CPT-8). Text is indexed with its row (`RowChange.text`) in the same transaction, and deleted with it.
 *
 * `search/words.ts` defines what a word is and how much of a text is indexed, `search/find.ts` how hits are found and
 * ranked, alike for every store.
 */
import type { Address, Millis, StreamId } from "@parlor/protocol"

export type SearchHit =
  | {
      readonly kind: "message" | "archive"
      readonly stream: StreamId
      readonly address: Address
      /** The row's key. */
      readonly key: string
      readonly ord: number
      readonly at: Millis
      /** Higher is better. */
      readonly score: number
    }
  | {
      readonly kind: "memory"
      readonly scope: "user" | "project"
      readonly name: string
      readonly at: Millis
      readonly score: number
    }

export interface Search {
  /**
   * Best first: ranked by words (rarer ones count more), slightly by recency. All words must occur; if that finds
   * nothing, any of them. The last word may be a prefix. `words` is plain text, never an expression. With `agent`, only
   * that agent's conversations, and no memories.
   */
  find(
    person: string,
    words: string,
    options: { readonly limit: number; readonly agent?: string; readonly now: Millis },
  ): Promise<readonly SearchHit[]>
}
