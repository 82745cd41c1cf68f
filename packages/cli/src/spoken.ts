import type { DeltaRow, MessageRow } from "@parlor/protocol"

/** Tracks the shown text of streaming messages. A full row then yields only what its deltas did not. */
export class Spoken {
  readonly #shown = new Map<string, number>()

  /** New text of a delta. */
  delta(delta: DeltaRow): string {
    this.#add(delta.message, delta.part, delta.text.length)
    return delta.text
  }

  /** The unshown text of a part of a full row. */
  rest(message: MessageRow, index: number): string {
    const part = message.parts[index]
    if (part === undefined || (part.type !== "text" && part.type !== "reasoning")) return ""
    const rest = part.text.slice(this.#shown.get(keyOf(message.id, index)) ?? 0)
    this.#add(message.id, index, rest.length)
    return rest
  }

  /** True if the row has less than was shown: the reply was interrupted and starts over (TRN-18). */
  startsOver({ id, parts }: MessageRow): boolean {
    const shown = [...this.#shown.keys()].filter((key) => key.startsWith(`${id}/`))
    const isLess = shown.some((key) => {
      const part = parts[Number(key.slice(id.length + 1))]
      const length = part?.type === "text" || part?.type === "reasoning" ? part.text.length : 0
      return length < (this.#shown.get(key) ?? 0)
    })
    if (isLess) for (const key of shown) this.#shown.delete(key)
    return isLess
  }

  #add(message: string, part: number, length: number): void {
    const key = keyOf(message, part)
    this.#shown.set(key, (this.#shown.get(key) ?? 0) + length)
  }
}

function keyOf(message: string, part: number): string {
  return `${message}/${part}`
}
