/**
 * Tags that a message contains are shown as they were written. They are never parsed as HTML (SEC-6).
 *
 * Streamdown's own order is raw, sanitize, harden: it parses the tags and then cleans them. Without parsing there is
 * nothing to clean, and the person sees what was really said.
 */
type Node = { type: string; value?: string; children?: Node[] }

export function rawAsText(): (tree: Node) => void {
  return (tree) => visit(tree)
}

function visit(node: Node): void {
  if (node.type === "raw") node.type = "text"
  for (const child of node.children ?? []) visit(child)
}
