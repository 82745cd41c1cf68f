/**
 * Material for a model that is no instruction of ours: in a marked block, with what it is and where it is from (SEC-10).
 * Pure.
 *
 *   <context kind="search" title="…" origin="…" untrusted="true">
 *   …
 *   </context>
 *
 * Nothing inside of a block can end it, and nothing a person types can pass for one: whatever looks like such a tag,
 * however it is disguised, gets a backslash behind its bracket.
 */

export type BlockTag = "context" | "attachment" | "message"

const ATTRIBUTE_LENGTH = 300
const FULL_WIDTH = 0xfee0
/** White, unseen, or only a mark on the letter before; and the backslash that is put here. */
const GAP = String.raw`[\s\\\p{C}\p{M}\p{Default_Ignorable_Code_Point}]*`
const BRACKET = String.raw`[<\uff1c\ufe64\u2039\u2329\u3008\u27e8\u276e\u2770]|&(?:amp;)*(?:lt|#0*60|#x0*3c);?`
const SLASH = String.raw`[/\uff0f\u2215\u2044\u29f8\u2571]|&(?:amp;)*(?:sol|#0*47|#x0*2f);?`
const NAMES = (["context", "attachment", "message"] satisfies BlockTag[]).map(spelled).join("|")
const LOOKALIKE = new RegExp(`(${BRACKET})(${GAP}(?:(?:${SLASH})${GAP})?(?:${NAMES})(?![\\p{L}\\p{N}_-]))`, "giu")
const WHOLE_BLOCK = /<(context|attachment|message)(?: [^\n]*)?>\n[\s\S]*?\n<\/\1>(?:\n|$)/g
/** Most texts hold none of these, and are not looked at further. */
const MAY_HOLD_ONE = /[&<\uff1c\ufe64\u2039\u2329\u3008\u27e8\u276e\u2770]/

export function block(tag: BlockTag, attributes: Readonly<Record<string, string>>, content: string): string {
  const said = Object.entries(attributes).filter(([, value]) => value !== "")
  const opening = said.map(([name, value]) => ` ${name}="${attribute(value)}"`).join("")
  return `<${tag}${opening}>\n${disarmed(content)}\n</${tag}>`
}

/** What is left of a text without its blocks: what somebody typed. */
export function withoutBlocks(text: string): string {
  return text.replaceAll(WHOLE_BLOCK, "").trim()
}

/** The text with nothing in it that could be taken for a block's tag. */
export function disarmed(text: string): string {
  return MAY_HOLD_ONE.test(text) ? text.replace(LOOKALIKE, String.raw`$1\$2`) : text
}

/** The text as it was before `disarmed`. */
export function rearmed(text: string): string {
  return text.replace(LOOKALIKE, (_, bracket: string, rest: string) => bracket + rest.replace("\\", ""))
}

/** On one line, and without what would end it. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+/gu, " ").trim()
}

function attribute(value: string): string {
  const line = oneLine(value)
  const cut = line.length <= ATTRIBUTE_LENGTH ? line : `${line.slice(0, ATTRIBUTE_LENGTH).toWellFormed()}…`
  return cut.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

/** A name in small, capital or full-width letters, with or without something between them. */
function spelled(name: string): string {
  return [...name].map((letter) => `[${letter}${String.fromCharCode(letter.charCodeAt(0) + FULL_WIDTH)}]`).join(GAP)
}
