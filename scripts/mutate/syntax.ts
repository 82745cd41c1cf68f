/** The parts of a syntax tree that mutations use. The parser comes with Vite and supports TypeScript. */
import { parseSync } from "vite"

export type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export function parse(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source)
  const [first] = errors
  if (first) throw new Error(`${file}: ${first.message}`)
  return program as unknown as Node
}

export function child(node: Node, field: string): Node | undefined {
  const value = node[field]
  return isNode(value) ? value : undefined
}

/** The child nodes that exist at run time, without types. */
export function children(node: Node): Node[] {
  const found: Node[] = []
  for (const [field, value] of Object.entries(node)) {
    if (field === "typeAnnotation" || field === "typeArguments" || field === "typeParameters") continue
    for (const item of Array.isArray(value) ? value : [value]) if (isNode(item) && runs(item)) found.push(item)
  }
  return found.sort((one, other) => one.start - other.start)
}

const TYPED_EXPRESSIONS: ReadonlySet<string> = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
])
const NOT_RUN: ReadonlySet<string> = new Set(["ImportDeclaration", "ExportAllDeclaration", "TemplateElement"])

function runs(node: Node): boolean {
  if (node.type.startsWith("TS")) return TYPED_EXPRESSIONS.has(node.type)
  return !NOT_RUN.has(node.type)
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
}
