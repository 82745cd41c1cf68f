/**
 * What a request returns to its model of the reasoning in earlier steps (MOD-7). Pure.
 *
 * Providers bind reasoning to the model that produced it and to everything before it. So it is returned within its turn
 * only, and not if anything before it was summarized since (MOD-8).
 */
import type { MessageRow, Part, ReturnedBlock } from "@parlor/protocol"
import type { Json } from "../ports/json.ts"
import type { ModelAgentPart } from "../ports/model.ts"

export type ReturnTo = {
  readonly model: string
  readonly turn: string
  /** Messages up to here existed when a summary replaced what came before them. */
  readonly afterOrd: number
}

export function returnedBlocks(message: MessageRow, to: ReturnTo | undefined): readonly ReturnedBlock[] {
  // Messages from before reasoning was returned lack the field.
  if (to === undefined || !message.returned) return []
  const { turn, model, ord, state } = message
  return turn === to.turn && model === to.model && ord > to.afterOrd && state === "done" ? message.returned : []
}

export function returnsReasoning(messages: readonly MessageRow[], to: ReturnTo): boolean {
  return messages.some((message) => returnedBlocks(message, to).length > 0)
}

/** The reasoning that stands at a part: the part's own, or blocks without text before it. */
export function reasoningAt(blocks: readonly ReturnedBlock[], part: Part, index: number): readonly ModelAgentPart[] {
  const text = part.type === "reasoning" ? part.text : ""
  let at = 0
  return blocks.flatMap((block): ModelAgentPart[] => {
    if (block.type !== "reasoning" || block.part !== index) return []
    const start = at
    at += block.chars
    return [{ type: "reasoning", text: text.slice(start, at), meta: block.meta as Json }]
  })
}

export function textMeta(blocks: readonly ReturnedBlock[], index: number): { readonly meta?: Json } {
  const block = blocks.findLast((one) => one.type === "text" && one.part === index)
  return block === undefined ? {} : { meta: block.meta as Json }
}

export function toolMeta(blocks: readonly ReturnedBlock[], call: string): { readonly meta?: Json } {
  const block = blocks.find((one) => one.type === "tool" && one.call === call)
  return block === undefined ? {} : { meta: block.meta as Json }
}
