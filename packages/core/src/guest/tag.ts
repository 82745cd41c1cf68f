/** How a model is told which agent said something: `<from agent="name">…</from>` (GST-3). Pure. */

import type { Json } from "../ports/json.ts"
import { lookalikesOf } from "../text/lookalikes.ts"

/** What looks like a tag of ours gets a backslash behind its bracket; `unescapeTags` takes it away again (GST-4). */
export const { escape: escapeTags, unescape: unescapeTags } = lookalikesOf(["from"])

const OPENING = /<from agent="[^"<>]*">/g
const CLOSING = "</from>"

/** Nobody can speak in another's name: what looks like a tag in the text is escaped (GST-4). */
export function framed(name: string, text: string): string {
  return `<from agent="${attribute(name)}">${escapeTags(text)}</from>`
}

/** What tools are given and answer is escaped as well, keys included. */
export function escapeJson(value: Json): Json {
  if (typeof value === "string") return escapeTags(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => escapeJson(item))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, Json]) => [escapeTags(key), escapeJson(item)]),
  )
}

/** What is left when the words of other agents are taken out: the person's own. */
export function withoutFrames(text: string): string {
  let left = ""
  let at = 0
  for (const { index, 0: opening } of text.matchAll(OPENING)) {
    if (index < at) continue
    const close = text.indexOf(CLOSING, index + opening.length)
    if (close === -1) break
    left += text.slice(at, index)
    at = close + CLOSING.length
  }
  return (left + text.slice(at)).trim()
}

/** An agent's name needs none of it; an import may hold any. */
function attribute(name: string): string {
  return name.replace(/[^\w-]/gu, (character) => `&#${character.codePointAt(0)};`)
}
