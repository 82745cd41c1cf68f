/** A live conversation as append-only text: what each state adds to the previous one. */
import { styleText } from "node:util"
import type { LiveState } from "@parlor/client"
import { Transcript, turnWords } from "../transcript.ts"

export type TellingOptions = {
  readonly agent: string
  readonly isStyled: boolean
  /** Whether existing messages are shown at the start. */
  readonly showsHistory: boolean
}

export class Telling {
  readonly #transcript: Transcript
  #isSilent: boolean
  #told: ReadonlySet<unknown> = new Set()

  constructor(options: TellingOptions) {
    this.#isSilent = !options.showsHistory
    const emphasis = options.isStyled ? { emphasis: (name: string) => styleText("bold", name) } : {}
    this.#transcript = new Transcript({ agent: options.agent, person: "you", ...emphasis })
  }

  /** Unchanged rows are the same objects. */
  tell(state: Pick<LiveState, "phase" | "messages" | "turns">): string {
    if (state.phase === "loading") return ""
    const text = this.#news(state)
    const isSilent = this.#isSilent
    this.#isSilent = false
    return isSilent ? "" : text
  }

  note(words: string): string {
    return this.#transcript.note(words)
  }

  end(): string {
    return this.#transcript.end()
  }

  #news(state: Pick<LiveState, "messages" | "turns">): string {
    const before = this.#told
    this.#told = new Set<unknown>([...state.messages, ...state.turns])
    const messages = this.#transcript.history(state.messages.filter((row) => !before.has(row)))
    const endings = state.turns.filter((row) => !before.has(row)).flatMap((row) => turnWords(row) ?? [])
    return messages + endings.map((words) => this.#transcript.note(words)).join("")
  }
}
