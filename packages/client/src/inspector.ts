import type { InspectedTurn, TurnPage } from "@parlor/protocol"
import type { Do } from "./do.ts"

/** The turns of a conversation in detail, including the exact prompts of its models (LOG-15). */
export class Inspector {
  readonly #do: Do

  constructor(act: Do) {
    this.#do = act
  }

  /** Newest first; `cursor` leads to the next page. */
  turns(
    page: { readonly cursor?: string; readonly limit?: number; readonly signal?: AbortSignal } = {},
  ): Promise<TurnPage> {
    const { signal, ...query } = page
    return this.#do("inspectTurns", { query, ...(signal && { signal }) })
  }

  /** `step`: include only the prompt of that step; 0 for none. By default as many prompts as fit into a response. */
  turn(turn: string, options: { readonly step?: number; readonly signal?: AbortSignal } = {}): Promise<InspectedTurn> {
    const { step, signal } = options
    return this.#do("inspectTurn", { params: { turn }, query: { step }, ...(signal && { signal }) })
  }
}
