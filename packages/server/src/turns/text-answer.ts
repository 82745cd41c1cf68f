/** Converts a person's text into the answer to an ask, for clients that can only send text. */
import type { Json } from "@parlor/core"
import type { AskRow } from "@parlor/protocol"

const YES = new Set(["y", "yes", "ok", "okay", "allow", "approve", "approved", "true"])

/** A number picks an option, a form expects JSON; anything else is the answer itself, and is validated like any other. */
export function readableAnswer({ kind, options }: Pick<AskRow, "kind" | "options">, text: string): Json {
  const said = text.trim()
  if (kind === "approval") return YES.has(said.toLowerCase().replace(/[.!]$/, ""))
  if (kind === "form") return parsed(said) ?? said
  if (options === null) return said
  const numbered = /^\d{1,3}$/.test(said) ? options[Number(said) - 1] : undefined
  return numbered ?? options.find((option) => option.toLowerCase() === said.toLowerCase()) ?? said
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
