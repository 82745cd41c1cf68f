/** Marks which agent said something: `<from agent="name">…</from>` (GST-3). Pure. */
import { escapeTags, tagged } from "../text/tags.ts"

const OPENING = /<from agent="[^"<>]*">/g
const CLOSING = "</from>"

/** Nobody can speak in another's name: anything that looks like a tag in the text is escaped (GST-4). */
export function framed(name: string, text: string): string {
  return tagged("from", ` agent="${attribute(name)}"`, escapeTags(text))
}

/** The text without the words of other agents: the person's own. */
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

/** An agent's name contains none of these; an imported name may contain anything. */
function attribute(name: string): string {
  return name.replace(/[^\w-]/gu, (character) => `&#${character.codePointAt(0)};`)
}
