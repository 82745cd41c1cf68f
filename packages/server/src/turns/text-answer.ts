/** Converts a person's text into the answer to an ask, for clients that can only send text. */
import type { Json } from "@parlor/core"
import type { AskRow } from "@parlor/protocol"

const YES = new Set(["y", "yes", "ok", "okay", "allow", "approve", "approved", "true"])
const NO = new Set(["n", "no", "deny", "denied", "refuse", "reject", "cancel", "stop", "false"])

/** Whether a text clearly answers an approval. Anything else does not allow it either. */
export function isYesOrNo(text: string): boolean {
  const word = wordOf(text)
  return YES.has(word) || NO.has(word)
}

/** A number picks an option, a form expects JSON; anything else is the answer itself, and is validated like any other. */
export function readableAnswer({ kind, options }: Pick<AskRow, "kind" | "options">, text: string): Json {
  const said = text.trim()
  if (kind === "approval") return YES.has(wordOf(said))
  if (kind === "form") return parsed(said) ?? said
  if (options === null) return said
  const numbered = /^\d{1,3}$/.test(said) ? options[Number(said) - 1] : undefined
  return numbered ?? options.find((option) => option.toLowerCase() === said.toLowerCase()) ?? said
}

function wordOf(text: string): string {
  return text.trim().toLowerCase().replace(/[.!]$/, "")
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
