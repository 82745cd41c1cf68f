import type { Chip } from "@parlor/client"
import { Node } from "@tiptap/core"
import { wordOf } from "../draft/doc.ts"

/**
 * A chip in the editor: one thing that is typed over, passed and removed as a whole. It carries what it refers to, also
 * through the clipboard; as plain text it is the word one would have typed.
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

/** What a chip shows: the word, but a name in place of a hash. */
export function labelOf(chip: Chip): string {
  const { name } = chip as { readonly name?: unknown }
  return chip.kind === "attachment" ? (typeof name === "string" ? name : "attachment") : wordOf(chip)
}

/** From a clipboard, which anybody may have filled: only what prints as a word is a chip. */
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
