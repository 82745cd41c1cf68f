/**
 * Text that every store and every provider can handle.
 *
 * A lone surrogate or a NUL is refused on input, never altered: one of them inside a conversation makes every later
 * request to a provider fail, and stores disagree about both (SEC-5).
 */
import { z } from "zod"

/** What is wrong with `text`, or undefined if it can be stored unchanged. */
export function textDefect(text: string): string | undefined {
  if (text.includes("\u0000")) return `contains a NUL character at ${text.indexOf("\u0000")}`
  if (text.isWellFormed()) return undefined
  return `contains half of a surrogate pair at ${loneSurrogateAt(text)}`
}

export const wellFormedText = z.string().superRefine((value, ctx) => {
  const defect = textDefect(value)
  if (defect !== undefined)
    ctx.addIssue({ code: "custom", message: `The text ${defect}.`, params: { code: "text.malformed" } })
})

function loneSurrogateAt(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit > 0xdfff) continue
    const next = text.charCodeAt(i + 1)
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) i++
    else return i
  }
  return -1
}
