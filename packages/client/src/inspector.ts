import type { InspectedTurn, TurnPage } from "@parlor/protocol"
import type { Do } from "./do.ts"

/** What happened in the turns of a conversation, and what exactly its models were told (LOG-15). */
export class Inspector {
  readonly #do: Do

  constructor(act: Do) {
    this.#do = act
  }

  /** Newest first; `cursor` of a page leads to the one after it. */
  turns(
    page: { readonly cursor?: string; readonly limit?: number; readonly signal?: AbortSignal } = {},
  ): Promise<TurnPage> {
    const { signal, ...query } = page
    return this.#do("inspectTurns", { query, ...(signal && { signal }) })
  }

  /** `step`: with the prompt of that step alone, or of none for 0; otherwise with all, as far as they fit an answer. */
  turn(turn: string, options: { readonly step?: number; readonly signal?: AbortSignal } = {}): Promise<InspectedTurn> {
    const { step, signal } = options
    return this.#do("inspectTurn", { params: { turn }, query: { step }, ...(signal && { signal }) })
  }
}
