/** Where a reply begins when it continues after an answered ask: everything before was in the previous reply. */
import type { AskRow, TurnEvent } from "@parlor/protocol"

export class AfterAsk {
  readonly #ask: string | undefined
  readonly #open = new Map<string, AskRow>()
  #isSkipping: boolean

  constructor(ask: string | undefined) {
    this.#ask = ask
    this.#isSkipping = ask !== undefined
  }

  /** Whether the event belongs to the previous reply. */
  skips(event: TurnEvent): boolean {
    if (!this.#isSkipping) return false
    if (event.type === "ask-opened") this.#open.set(event.ask.id, event.ask)
    if (event.type !== "ask-closed") return true
    this.#open.delete(event.ask.id)
    this.#isSkipping = event.ask.id !== this.#ask
    return this.#isSkipping
  }

  /** Another ask that was opened before this one was answered becomes the next question. */
  get stillOpen(): AskRow | undefined {
    return this.#isSkipping ? undefined : this.#open.values().next().value
  }
}
