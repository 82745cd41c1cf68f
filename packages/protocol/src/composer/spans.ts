/**
 * Positions of nodes in a composer input (CMP-4): UTF-16 code units, in order, not overlapping, never inside a surrogate pair,
 * and `raw` equals the source there. A mismatch is refused, never corrected: a node that is off by one means that
 * sender and reader do not see the same text.
 */
import type { ComposerInput, ComposerNode } from "./node.ts"

export type SpanDefect = { readonly node: number; readonly detail: string }

const EXCERPT = 60

/** The first node that does not match its source, and what is wrong with it. */
export function spanDefect({ source, nodes = [] }: ComposerInput): SpanDefect | undefined {
  let end = 0
  for (const [index, node] of nodes.entries()) {
    const detail = defectOf(source, node, end)
    if (detail !== undefined) return { node: index, detail: `Node ${index} (${excerpt(node.kind)}) ${detail}` }
    end = node.end
  }
  return undefined
}

function defectOf(source: string, node: ComposerNode, after: number): string | undefined {
  const { start, end, raw } = node
  const place = `says ${start} to ${end}`
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0)
    return `${place}: offsets must be non-negative integers.`
  if (end < start) return `${place}: it ends before it starts.`
  if (end > source.length) return `${place}, but the source ends at ${source.length}.${elsewhere(source, node)}`
  if (start < after)
    return `${place}, but the previous node ends at ${after}. Nodes must be in order and must not overlap.`
  const cut = [start, end].find((place) => cutsPair(source, place))
  if (cut !== undefined) return `${place}, but ${cut} is inside a character (a surrogate pair).`
  const slice = source.slice(start, end)
  if (slice === raw) return undefined
  const found = `${place} is ${quoted(raw)}, but that slice of the source is ${quoted(slice)}.`
  return `${found}${elsewhere(source, node)} Offsets count UTF-16 code units.`
}

/** Where the text actually is: usually the offsets are off by a few. */
function elsewhere(source: string, { start, raw }: ComposerNode): string {
  if (raw === "") return ""
  const before = source.lastIndexOf(raw, start)
  const behind = source.indexOf(raw, start)
  const isBehindNearer = behind >= 0 && (before < 0 || behind - start < start - before)
  const place = isBehindNearer ? behind : before
  return place < 0 ? "" : ` ${quoted(raw)} is at ${place} to ${place + raw.length}.`
}

function cutsPair(source: string, place: number): boolean {
  return isHigh(source.charCodeAt(place - 1)) && isLow(source.charCodeAt(place))
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function quoted(text: string): string {
  return JSON.stringify(excerpt(text))
}

function excerpt(text: string): string {
  return text.length <= EXCERPT ? text : `${text.slice(0, EXCERPT).toWellFormed()}…`
}
