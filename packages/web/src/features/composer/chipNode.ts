import type { Chip } from "@parlor/client"
import { Node } from "@tiptap/core"
import { wordOf } from "../draft/doc.ts"

/**
 * A chip in the editor: an atomic node. It keeps its reference, even through the clipboard; as plain text it is the
 * word a person would have typed.
 */
export const ChipNode = Node.create({
  name: "chip",
  group: "inline",
  inline: true,
  atom: true,
  selectable: false,
  draggable: false,
  addAttributes: () => ({
    chip: {
      default: { kind: "text", raw: "" },
      parseHTML: (element: HTMLElement) => parsedChip(element.getAttribute("data-chip")),
      renderHTML: ({ chip }: { readonly chip?: Chip }) => ({ "data-chip": JSON.stringify(chip) }),
    },
  }),
  parseHTML: () => [{ tag: "span[data-chip]", getAttrs: (element) => chipAttribute(element) }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const chip = node.attrs.chip as Chip
    return ["span", { ...HTMLAttributes, class: `chip chip-${chip.kind}`, title: wordOf(chip) }, labelOf(chip)]
  },
  renderText: ({ node }) => wordOf(node.attrs.chip as Chip),
})

/** A chip's label: the word, or the name instead of a hash. */
export function labelOf(chip: Chip): string {
  const { name } = chip as { readonly name?: unknown }
  return chip.kind === "attachment" ? (typeof name === "string" ? name : "attachment") : wordOf(chip)
}

/** Clipboard content is untrusted: only a valid chip is accepted. */
export function parsedChip(text: string | null): Chip | null {
  try {
    const value: unknown = JSON.parse(text ?? "")
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null
    const chip = value as Chip
    return typeof chip.kind === "string" && chip.kind !== "text" && wordOf(chip) !== "" ? chip : null
  } catch {
    return null
  }
}

function chipAttribute(element: HTMLElement): false | null {
  return parsedChip(element.getAttribute("data-chip")) === null ? false : null
}
