/** The words of a document that are not from the conversation, in the reader's language. */
import type { Part } from "@parlor/protocol"

export type DocumentWords = {
  readonly language: string
  readonly untitled: string
  readonly you: string
  readonly attached: string
  readonly used: (tools: string) => string
  readonly time: (at: number) => string
}

/** Undefined if no tool was used. */
export function toolsUsed(parts: readonly Part[], words: DocumentWords): string | undefined {
  const names = [...new Set(parts.flatMap((part) => (part.type === "tool" ? [part.name] : [])))]
  return names.length === 0 ? undefined : words.used(names.join(", "))
}
