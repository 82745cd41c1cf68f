/**
 * Full text over what one person said and was told (CPT-7, CPT-8): messages and archives of all their conversations, and
 * their memories. Text gets in with the row that holds it (`RowChange.text`) in the same transaction, and goes with it.
 *
 * `search/words.ts` says what a word is and how much of a text is indexed, `search/find.ts` how hits are found and
 * ranked: every store does it alike.
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
   * Best first: rank by words (rarer ones count more), lightly by how recent. All words have to be there; when that
   * finds nothing, any of them. The last word may be a beginning. `words` is what a person typed, never an expression.
   * With `agent`, only what was said with it, and no memories.
   */
  search(
    person: string,
    words: string,
    options: { readonly limit: number; readonly agent?: string; readonly now: Millis },
  ): Promise<readonly SearchHit[]>
}
