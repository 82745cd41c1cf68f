/** A live conversation as lines of JSON: each row once it is settled, in the form of a change of the log. */
import type { LiveState } from "@parlor/client"
import { plainJson } from "../plain.ts"

type Told = Pick<LiveState, "phase" | "messages" | "turns" | "asks" | "queue">

export class JsonTelling {
  #isSilent: boolean
  #told: ReadonlySet<unknown> = new Set()

  constructor({ showsHistory }: { readonly showsHistory: boolean }) {
    this.#isSilent = !showsHistory
  }

  /** Unchanged rows are the same objects. A message that is being written is left out until it is complete. */
  tell(state: Told): string {
    if (state.phase === "loading") return ""
    const messages = state.messages.filter((row) => row.state !== "streaming")
    const rows = { messages, turns: state.turns, asks: state.asks, queue: state.queue }
    const lines = Object.entries(rows).flatMap(([type, all]) =>
      all.filter((row) => !this.#told.has(row)).map((value) => `${plainJson(JSON.stringify({ type, value }))}\n`),
    )
    this.#told = new Set(Object.values(rows).flat())
    const isSilent = this.#isSilent
    this.#isSilent = false
    return isSilent ? "" : lines.join("")
  }

  end(): string {
    return ""
  }
}
