/** Reads who said what from a text as sent to a model: the inverse of `guest/tag.ts`. */
import { unescapeTags } from "../text/tags.ts"

/** `by` is null for the person. */
export type Heard = { readonly by: string | null; readonly text: string }

const FRAME = /<from agent="([^"<>]*)">(.*?)<\/from>/gs
const BETWEEN = "\n\n"

export function readFrames(text: string): readonly Heard[] {
  const heard: Heard[] = []
  let end = 0
  for (const match of text.matchAll(FRAME)) {
    heard.push(...persons(text.slice(end, match.index), heard.length === 0, false))
    heard.push({ by: nameOf(match[1] ?? ""), text: unescapeTags(match[2] ?? "") })
    end = match.index + match[0].length
  }
  return [...heard, ...persons(text.slice(end), heard.length === 0, true)]
}

/** The text between two frames, without separators. */
function persons(text: string, isFirst: boolean, isLast: boolean): Heard[] {
  if (text === "") return []
  const start = isFirst ? 0 : BETWEEN.length
  const end = isLast ? text.length : text.length - BETWEEN.length
  return end <= start ? [] : [{ by: null, text: unescapeTags(text.slice(start, end)) }]
}

function nameOf(attribute: string): string {
  return attribute.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}
