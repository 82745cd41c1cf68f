/**
 * Caches typeset formulas. A streaming paragraph is parsed again with every update, and typesetting its unchanged
 * formulas would dominate (TAB-7).
 */
export type Tree = {
  readonly type: string
  readonly tagName?: string
  readonly value?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
  children?: Tree[]
}
type Setting = (tree: Tree, file: unknown) => void

/** The oldest are evicted. */
export const MAX_KEPT = 400

/** `set` replaces formula markers in a tree with typeset formulas. */
export function setOnce(set: Setting, kept: Map<string, readonly Tree[]> = new Map()): Setting {
  const setOne = (tree: Tree, file: unknown): readonly Tree[] => {
    const key = `${tree.tagName} ${textOf(tree)}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const root: Tree = { type: "root", children: [tree] }
    set(root, file)
    const oldest = kept.size >= MAX_KEPT ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(key, root.children ?? [])
    return root.children ?? []
  }
  return function visit(tree, file) {
    tree.children = (tree.children ?? []).flatMap((child) => {
      if (isFormula(child)) return setOne(child, file)
      if (child.children !== undefined) visit(child, file)
      return [child]
    })
  }
}

/** Inline formulas are `code`; block formulas are `code` in a `pre`. */
function isFormula(tree: Tree): boolean {
  const code = tree.tagName === "pre" ? tree.children?.[0] : tree
  const names = code?.tagName === "code" ? code.properties?.className : undefined
  return Array.isArray(names) && names.includes("language-math")
}

function textOf(tree: Tree): string {
  return typeof tree.value === "string" ? tree.value : (tree.children ?? []).map(textOf).join("")
}
