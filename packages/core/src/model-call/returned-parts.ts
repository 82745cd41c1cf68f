/** Collects what a provider needs back with the blocks of a reply, within a limit (MOD-7). */
import { limits, type Part, type ReturnedBlock, type TextPart } from "@parlor/protocol"
import type { Json } from "../ports/json.ts"
import { cleanJson } from "../text/clean-json.ts"

export class ReturnedParts {
  #blocks: ReturnedBlock[]
  #bytes = 0

  constructor(known: readonly ReturnedBlock[] = []) {
    this.#blocks = [...known]
  }

  /** `parts`: those of the reply so far. The block is the end of the last one, or has no text. */
  add(of: TextPart["type"], parts: readonly Part[], meta: Json): void {
    const last = parts.at(-1)
    if (of === "reasoning") {
      const part = last?.type === "reasoning" ? parts.length - 1 : parts.length
      const chars = last?.type === "reasoning" ? last.text.length - this.#covered(part) : 0
      this.#keep({ type: "reasoning", part, chars, meta: stored(meta) })
    } else if (last?.type === "text") this.#keep({ type: "text", part: parts.length - 1, meta: stored(meta) })
  }

  addTool(call: string, meta: Json): void {
    this.#keep({ type: "tool", call, meta: stored(meta) })
  }

  /** Providers reject a part of their reasoning, so over the limit there is none. */
  field(): ReturnedBlock[] | null {
    return this.#blocks.length === 0 || this.#bytes > limits.reasoningBytes ? null : [...this.#blocks]
  }

  #keep(block: ReturnedBlock): void {
    this.#bytes += JSON.stringify(block).length
    if (this.#bytes <= limits.reasoningBytes) this.#blocks.push(block)
  }

  #covered(part: number): number {
    let chars = 0
    for (const block of this.#blocks) if (block.type === "reasoning" && block.part === part) chars += block.chars
    return chars
  }
}

function stored(meta: Json): ReturnedBlock["meta"] {
  return cleanJson(meta) as ReturnedBlock["meta"]
}
