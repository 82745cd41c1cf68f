/** A walk over a syntax tree that knows what is above each node. The parser comes with Vite. */
import { parseSync } from "vite"

/** @typedef {{ readonly type: string, readonly start: number, readonly end: number, readonly [field: string]: unknown }} Node */

/**
 * @param {string} file
 * @param {string} text
 * @returns {Node}
 */
export function parse(file, text) {
  const { program, errors } = parseSync(file, text)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  return /** @type {Node} */ (/** @type {unknown} */ (program))
}

/**
 * Visits every node that runs, types left out. `visit` returns false to skip what is below.
 *
 * @param {Node} node
 * @param {(node: Node, above: readonly Node[]) => boolean | void} visit
 * @param {readonly Node[]} above the closest first
 */
export function walk(node, visit, above = []) {
  if (node.type.startsWith("TS") && !/^TS(As|Satisfies|NonNull)/.test(node.type)) return
  if (visit(node, above) === false) return
  for (const [field, value] of Object.entries(node)) {
    if (/^(typeAnnotation|typeArguments|typeParameters|returnType)$/.test(field)) continue
    for (const item of Array.isArray(value) ? value : [value]) if (isNode(item)) walk(item, visit, [node, ...above])
  }
}

/**
 * @param {readonly Node[]} above
 * @param {RegExp} type
 */
export function inside(above, type) {
  return above.some((node) => type.test(node.type))
}

/**
 * @param {unknown} value
 * @returns {value is Node}
 */
export function isNode(value) {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
}
