/**
 * Puts every mutant of a file into the file at once, each behind a condition: `(__mutate__(7) ? (a <= b) : (a < b))`.
 * One transformed file serves all runs; the runner enables one number at a time.
 */
import { canBeLeftOut, replacements } from "./mutations.ts"
import { child, children, type Node, parse } from "./syntax.ts"

export type Mutant = {
  readonly file: string
  /** Numbered within the file, in source order. */
  readonly number: number
  readonly line: number
  readonly was: string
  readonly now: string
}

export type Instrumented = { readonly code: string; readonly mutants: readonly Mutant[] }

type Planted = { readonly number: number; readonly now: string }

const REMOVED = "(removed)"
const ASK = "const __mutate__ = globalThis.__mutate__ ?? (() => false);"

export function instrument(file: string, source: string): Instrumented {
  const program = parse(file, source)
  const mutants: Mutant[] = []
  const planted = new Map<Node, Planted[]>()
  plant(program, undefined, undefined)
  if (mutants.length === 0) return { code: source, mutants }
  return { code: ASK + render(program), mutants }

  function plant(node: Node, parent: Node | undefined, chain: Node | undefined): void {
    if (canBeLeftOut(node)) note(node, node, undefined)
    for (const text of replacements(node, parent, source)) note(node, chain ?? node, text)
    for (const inner of children(node)) plant(inner, node, chainOf(inner, node, chain))
  }

  function note(node: Node, at: Node, text: string | undefined): void {
    const was = source.slice(node.start, node.end)
    const number = mutants.length
    const line = source.slice(0, node.start).split("\n").length
    mutants.push({ file, number, line, was: oneLine(was), now: text === undefined ? REMOVED : oneLine(text) })
    const now = text === undefined ? "" : source.slice(at.start, node.start) + text + source.slice(node.end, at.end)
    planted.set(at, [...(planted.get(at) ?? []), { number, now }])
  }

  function render(node: Node): string {
    let text = ""
    let from = node.start
    for (const inner of children(node)) {
      if (inner.start < from) continue
      text += source.slice(from, inner.start) + render(inner)
      from = inner.end
    }
    text += source.slice(from, node.end)
    const own = planted.get(node) ?? []
    const asked = (number: number) => `__mutate__(${JSON.stringify(`${file}#${number}`)})`
    if (node.type === "ExpressionStatement" && !node.directive)
      return own.reduce((inner, { number }) => `{if(!${asked(number)}){${inner}}}`, `{${text}}`)
    return own.reduceRight(
      (inner, { number, now }) => `(${asked(number)}?(${now}):${inner})`,
      own.length ? `(${text})` : text,
    )
  }
}

/** Replaces the whole chain `a?.b.c()` even if one link changes: part of a chain would no longer short-circuit. */
function chainOf(node: Node, parent: Node, chain: Node | undefined): Node | undefined {
  if (node.type === "ChainExpression") return node
  if (parent.type === "ChainExpression") return parent
  if (!chain) return undefined
  const spine = child(parent, "object") ?? child(parent, "callee") ?? child(parent, "expression")
  return spine === node ? chain : undefined
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ")
}
