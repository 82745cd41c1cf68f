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
import { lookalikesOf } from "../context/lookalikes.ts"

export type BlockTag = "context" | "attachment" | "message"

const ATTRIBUTE_LENGTH = 300
const lookalikes = lookalikesOf(["context", "attachment", "message"] satisfies BlockTag[])
const WHOLE_BLOCK = /<(context|attachment|message)(?: [^\n]*)?>\n[\s\S]*?\n<\/\1>(?:\n|$)/g

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
  return lookalikes.escape(text)
}

/** The text as it was before `disarmed`. */
export function rearmed(text: string): string {
  return lookalikes.unescape(text)
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
