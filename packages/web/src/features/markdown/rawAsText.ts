/**
 * HTML tags in a message are shown as text. They are never parsed (SEC-6).
 *
 * Streamdown's own order is raw, sanitize, harden: it parses the tags and then cleans them. Without parsing there is
 * nothing to clean, and the person sees the original text.
 */
type Node = { type: string; value?: string; children?: Node[] }

export function rawAsText(): (tree: Node) => void {
  return (tree) => visit(tree)
}

function visit(node: Node): void {
  if (node.type === "raw") node.type = "text"
  for (const child of node.children ?? []) visit(child)
}
