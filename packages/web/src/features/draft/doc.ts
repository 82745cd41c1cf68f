/**
 * The three forms of a draft: the editor's document, the pieces of its lines, and the composer input that is stored and
 * sent (CMP-2, CMP-3). Pure, and independent of the editor, so that the page can use it before the editor is loaded.
 *
 *   document ◀──▶ pieces ◀──▶ input
 *
 * A line of text is a paragraph of the document; a chip is a node with its reference. Attachments without a place in
 * the text are zero-length nodes at the end of the input and are not part of the document.
 */
import type { Chip } from "@parlor/client"
import { type ParseOptions, parseComposer, printComposer } from "@parlor/client/composer"
import { type AttachmentNode, type ComposerInput, type ComposerNode, limits, spanDefect } from "@parlor/protocol"

export type TextContent = { readonly type: "text"; readonly text: string }
export type ChipContent = { readonly type: "chip"; readonly attrs: { readonly chip: Chip } }
type LineContent = { readonly type: "paragraph"; readonly content?: readonly (TextContent | ChipContent)[] }
export type DocContent = { readonly type: "doc"; readonly content: readonly LineContent[] }

export const NOTHING: ComposerInput = { source: "" }

export function docOf(input: ComposerInput): DocContent {
  const lines: (TextContent | ChipContent)[][] = [[]]
  for (const piece of piecesOf(input)) {
    if (!isText(piece)) lines.at(-1)?.push({ type: "chip", attrs: { chip: piece } })
    else
      for (const [index, text] of piece.raw.split(/\r\n?|\n/).entries()) {
        if (index > 0) lines.push([])
        if (text !== "") lines.at(-1)?.push({ type: "text", text })
      }
  }
  return {
    type: "doc",
    content: lines.map((content) => ({ type: "paragraph", ...(content.length > 0 && { content }) })),
  }
}

/** Adds a space where a chip would touch the text next to it, so that the plain text reads the same. */
export function inputOf(doc: DocContent, attached: readonly AttachmentNode[] = []): ComposerInput {
  const chips = doc.content.flatMap(({ content = [] }, index): readonly Chip[] => [
    ...(index > 0 ? [{ kind: "text", raw: "\n" }] : []),
    ...content.map((piece) => (piece.type === "text" ? { kind: "text", raw: piece.text } : piece.attrs.chip)),
  ])
  return withAttached(printComposer(chips), attached)
}

/** The input to send: the chips, and references recognized in the text between them (CMP-5). */
export function recognized(input: ComposerInput, options: ParseOptions): ComposerInput {
  const { nodes: known = [] } = withoutAttached(input)
  const found = parseComposer(input.source, options).nodes ?? []
  const isApart = (node: ComposerNode) => known.every(({ start, end }) => node.end <= start || end <= node.start)
  const nodes = [...known, ...found.filter(isApart)].sort((a, b) => a.start - b.start).slice(0, limits.composerNodes)
  return withAttached({ ...input, nodes }, attachedTo(input))
}

/** Attachments without a place in the text. */
export function attachedTo({ nodes = [] }: ComposerInput): readonly AttachmentNode[] {
  return nodes.filter(isAlong)
}

export function withAttached(input: ComposerInput, attached: readonly AttachmentNode[]): ComposerInput {
  const end = input.source.length
  const inText = (input.nodes ?? []).filter((node) => !isAlong(node))
  const nodes = [...inText, ...attached.map((node) => ({ ...node, start: end, end, raw: "" }))]
  const { nodes: _, ...rest } = input
  return nodes.length === 0 ? rest : { ...rest, nodes }
}

/** A plain box replaced the whole text: chips before and after the changed range are kept. */
export function retyped(input: ComposerInput, source: string): ComposerInput {
  const before = input.source
  const most = Math.min(before.length, source.length)
  let head = 0
  while (head < most && before[head] === source[head]) head += 1
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === source.at(-1 - tail)) tail += 1
  const by = source.length - before.length
  const nodes = (withoutAttached(input).nodes ?? []).flatMap((node) => {
    if (node.end <= head) return [node]
    return node.start >= before.length - tail ? [{ ...node, start: node.start + by, end: node.end + by }] : []
  })
  return withAttached({ source, nodes }, attachedTo(input))
}

/** Joins two inputs, each on its own lines. */
export function joined(first: ComposerInput, second: ComposerInput): ComposerInput {
  if (isNothing(second)) return first
  const gap = first.source === "" || second.source === "" ? "" : "\n"
  const by = first.source.length + gap.length
  const moved = (withoutAttached(second).nodes ?? []).map((node) => ({
    ...node,
    start: node.start + by,
    end: node.end + by,
  }))
  const attached = new Map([...attachedTo(first), ...attachedTo(second)].map((node) => [node.hash, node]))
  const source = first.source + gap + second.source
  return withAttached({ source, nodes: [...(withoutAttached(first).nodes ?? []), ...moved] }, [...attached.values()])
}

/** Maps a source offset to a document position. */
export function positionIn(input: ComposerInput, offset: number): number {
  let position = 1
  let passed = 0
  for (const piece of piecesOf(input)) {
    const raw = isText(piece) ? piece.raw : wordOf(piece)
    const inside = Math.max(0, Math.min(raw.length, offset - passed))
    if (!isText(piece)) position += inside > 0 ? 1 : 0
    else position += inside + (raw.slice(0, inside).match(/\n/g)?.length ?? 0)
    passed += raw.length
    if (passed >= offset) break
  }
  return position
}

/** A chip as typed text. */
export function wordOf(chip: Chip): string {
  return printComposer([chip]).source
}

export function isNothing({ source, nodes = [] }: ComposerInput): boolean {
  return source === "" && nodes.length === 0
}

/** Whether there is nothing to send. */
export function isBlank({ source, nodes = [] }: ComposerInput): boolean {
  return source.trim() === "" && nodes.length === 0
}

type TextPiece = { readonly kind: "text"; readonly raw: string }

function isText(piece: Chip): piece is TextPiece {
  return piece.kind === "text"
}

/** Nodes that don't match their text are not chips; the text wins. */
function piecesOf(input: ComposerInput): readonly Chip[] {
  const { source, nodes = [] } = spanDefect(input) === undefined ? withoutAttached(input) : { source: input.source }
  const pieces: Chip[] = []
  let end = 0
  for (const node of nodes) {
    if (node.start > end) pieces.push({ kind: "text", raw: source.slice(end, node.start) })
    pieces.push(chipOf(node))
    end = node.end
  }
  if (end < source.length) pieces.push({ kind: "text", raw: source.slice(end) })
  return pieces
}

/** The node without its position; an unknown kind prints its `raw`. */
function chipOf({ start: _start, end: _end, raw, ...said }: ComposerNode): Chip {
  const isReference = wordOf(said as Chip) !== ""
  return (isReference ? said : { ...said, raw }) as Chip
}

function withoutAttached({ source, nodes = [] }: ComposerInput): ComposerInput {
  return { source, nodes: nodes.filter((node) => !isAlong(node)) }
}

function isAlong(node: ComposerNode): node is AttachmentNode {
  return node.kind === "attachment" && node.raw === ""
}
