/**
 * The text of a step for clients that cannot retract text but have messages with ids: a second attempt that continues
 * the abandoned text belongs to the same message, one whose text differs becomes a new message.
 */
import { RetriedText } from "./retried-text.ts"

export type AttemptPiece = { readonly id: string; readonly text: string }

export class AttemptText {
  readonly #retried = new RetriedText()
  #id = ""
  #text = ""
  #abandoned = ""
  #isAgain = false
  #others = 0

  startStep(message: string): void {
    if (!this.#isAgain) {
      this.#retried.startStep()
      this.#id = message
      this.#abandoned = ""
    }
    this.#isAgain = false
    this.#text = ""
  }

  reset(): void {
    this.#retried.reset()
    // If an attempt is shorter than the previous one, the text of the previous one stays.
    if (!this.#abandoned.startsWith(this.#text)) this.#abandoned = this.#text
    this.#isAgain = true
  }

  /** Returns the new part of this piece, and the message it belongs to. */
  next(message: string, piece: string): AttemptPiece {
    this.#text += piece
    const text = this.#retried.next(piece)
    const { length } = this.#abandoned
    if (length === 0 || this.#text.startsWith(this.#abandoned) || this.#abandoned.startsWith(this.#text))
      return { id: this.#id, text }
    this.#abandoned = ""
    this.#others += 1
    this.#id = `${message}.${this.#others}`
    return { id: this.#id, text: this.#text }
  }
}
