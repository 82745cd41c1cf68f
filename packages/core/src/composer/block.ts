/**
 * What a model is given besides what was typed: a marked block with its kind and origin (SEC-10). All of it is material,
 * except for a skill, which the agent's author wrote (CMP-22). Pure.
 *
 *   <context kind="search" title="…" origin="…" untrusted="true">
 *   …
 *   </context>
 *
 * Nothing inside a block can end it, and nothing a person types can pass for one (`text/tags.ts`).
 */
import { escapeTags, type Tag, tagged } from "../text/tags.ts"

export type BlockTag = Extract<Tag, "context" | "attachment" | "message" | "skill">

const ATTRIBUTE_LENGTH = 300
/** Begins a block if its line ends with a bracket. */
const OPENING = /<(context|attachment|message|skill)(?=[ >])/g

export function block(tag: BlockTag, attributes: Readonly<Record<string, string>>, content: string): string {
  const said = Object.entries(attributes).filter(([, value]) => value !== "")
  const opening = said.map(([name, value]) => ` ${name}="${attribute(value)}"`).join("")
  return tagged(tag, opening, `\n${escapeTags(content)}\n`)
}

/** The text without its blocks: what a person typed. */
export function withoutBlocks(text: string): string {
  let left = ""
  let at = 0
  let lineEnd = -1
  const closings = new Map<string, Closing>()
  for (const { index, 1: tag = "" } of text.matchAll(OPENING)) {
    if (index < at) continue
    if (index > lineEnd) lineEnd = text.indexOf("\n", index)
    if (lineEnd === -1) break
    const isBare = text[index + tag.length + 1] === ">"
    if (text[lineEnd - 1] !== ">" || (isBare && lineEnd !== index + tag.length + 2)) continue
    const known = closings.get(tag)
    const close = known !== undefined && known.start > lineEnd ? known : closingAfter(text, tag, lineEnd + 1)
    closings.set(tag, close)
    if (close.end === undefined) continue
    left += text.slice(at, index)
    at = close.end
  }
  return (left + text.slice(at)).trim()
}

/** The position of the tag that closes a block; without `end` if there is none. */
type Closing = { readonly start: number; readonly end?: number }

function closingAfter(text: string, tag: string, from: number): Closing {
  const closing = `\n</${tag}>`
  for (let start = text.indexOf(closing, from); start !== -1; start = text.indexOf(closing, start + 1)) {
    const end = start + closing.length
    if (end === text.length) return { start, end }
    if (text[end] === "\n") return { start, end: end + 1 }
  }
  return { start: Number.POSITIVE_INFINITY }
}

/** On one line, without characters that would end the attribute. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+/gu, " ").trim()
}

function attribute(value: string): string {
  const line = oneLine(value)
  const cut = line.length <= ATTRIBUTE_LENGTH ? line : `${line.slice(0, ATTRIBUTE_LENGTH).toWellFormed()}…`
  return escapeTags(cut)
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
}
