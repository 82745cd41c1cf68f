/**
 * The text of a step for clients that cannot retract text: when an attempt is abandoned, the next one continues what
 * was shown as long as it says the same, so that nothing is shown twice.
 */
export class RetriedText {
  #said = ""
  #shown = ""

  startStep(): void {
    this.#said = ""
    this.#shown = ""
  }

  /** Call this when the attempt is abandoned and another one follows. */
  reset(): void {
    // If an attempt is shorter than the previous one, the text of the previous one stays.
    if (!this.#shown.startsWith(this.#said)) this.#shown = this.#said
    this.#said = ""
  }

  /** The part of `text` that is not shown yet. */
  next(text: string): string {
    const before = this.#said.length
    this.#said += text
    // The usual case. Comparing would copy the whole text so far for each piece of it.
    if (this.#shown === "") return text
    if (this.#shown.startsWith(this.#said)) return ""
    if (this.#said.startsWith(this.#shown)) return text.slice(Math.max(0, this.#shown.length - before))
    // It differs from here on: text withheld because it was the same until now is shown too.
    const withheld = before < this.#shown.length ? this.#said.slice(commonLength(this.#said, this.#shown)) : text
    this.#shown = ""
    return withheld
  }
}

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
