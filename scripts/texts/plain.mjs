/** Finds texts that a person would read and that are not in the catalog. */
import { isNode, parse, walk } from "./syntax.mjs"

/** @typedef {import("./syntax.mjs").Node} Node */

/** Names, commands and files are the same in every language. */
const NAMES = new Set([
  ...["Deutsch", "English", "GitHub", "Markdown", "Parlor", "Standard Webhooks", "WebM", "WebP", "mermaid"],
  ...["parlor link", "parlor.config.ts"],
  ...["Android", "Chrome", "ChromeOS", "Edge", "Firefox", "Linux", "Opera", "Safari", "Samsung Internet", "Windows"],
])
/** Not words: what the browser calls its keys, and what it calls things that are dropped. */
const KEYS =
  /^(?:(?:Alt|Ctrl|Mod|Shift)(?:\+.*)?|AltGraph|Arrow\w+|Backspace|Control|Delete|End|Enter|Escape|F\d+|Files?|Home|Meta|Page\w+|Process|Space|Tab)$/
const NOT_SHOWN_ATTRIBUTES =
  /^(?:aria-keyshortcuts|className|data-.+|href|id|key|look|preserveAspectRatio|rel|role|style|target|type)$/
const NOT_SHOWN_CALLS =
  /^(?:console\.\w+|cx|import|matchMedia)$|\.(?:addEventListener|closest|endsWith|includes|match|matches|querySelector|querySelectorAll|removeEventListener|startsWith)$/

/**
 * Returns one sentence per text.
 *
 * @param {string} file
 * @param {string} source
 * @returns {string[]}
 */
export function findPlainTexts(file, source) {
  /** @type {string[]} */
  const found = []
  const report = (/** @type {string} */ text) => {
    const short = text.replace(/\s+/g, " ").trim()
    if (!NAMES.has(short)) found.push(`${file}: "${short}" is not in texts/en`)
  }
  walk(parse(file, source), (node, above) => {
    if (isNotShown(node, source)) return false
    if (node.type === "JSXText" && /\p{L}{2}/u.test(String(node.value))) report(String(node.value))
    if (node.type === "Literal" && typeof node.value === "string" && isShown(node, above)) {
      const isText = isChild(above) ? /\p{L}{2}/u.test(node.value) : isSentence(node.value)
      if (isText) report(node.value)
    }
    if (node.type === "TemplateLiteral" && isShown(node, above)) {
      const pieces = quasis(node)
      if (isSentence(pieces[0] ?? "") || pieces.some(isPhrase)) report(source.slice(node.start + 1, node.end - 1))
    }
    return true
  })
  return found
}

/** @param {string} text */
function isSentence(text) {
  if (KEYS.test(text)) return false
  return /^\p{Lu}[\p{Ll}']+/u.test(text) || /^\p{Lu} \p{Ll}/u.test(text) || isPhrase(text)
}

/** Several lowercase words, and nothing that only class names, selectors and paths contain. @param {string} text */
function isPhrase(text) {
  return /\p{Ll}{2} \p{Ll}{2}/u.test(text) && !/[-:#.](?:\w|$)|[[/_=]|\dpx/.test(text)
}

/**
 * @param {Node} node
 * @param {string} source
 */
function isNotShown(node, source) {
  if (/^(?:ImportDeclaration|ThrowStatement|ExportAllDeclaration)$/.test(node.type)) return true
  if (node.type === "JSXAttribute") return NOT_SHOWN_ATTRIBUTES.test(sliceOf(node.name, source))
  if (node.type === "NewExpression") return /Error$/.test(sliceOf(node.callee, source))
  return node.type === "CallExpression" && NOT_SHOWN_CALLS.test(sliceOf(node.callee, source))
}

/**
 * @param {Node} node
 * @param {readonly Node[]} above
 */
function isShown(node, above) {
  // `kind: isOld ? "Archived" : "Recent"` and `kind: "Recent" as const` are values of `kind`.
  const [parent] = above.filter(({ type }) => !/^(?:ConditionalExpression|TSAsExpression)$/.test(type))
  if (parent === undefined) return true
  if (parent.type === "BinaryExpression") return !/^[!=]==?$|^in$/.test(String(parent.operator))
  if (parent.type === "SwitchCase") return parent.test !== node
  if (parent.type === "Property") return parent.key !== node && !isKeys(parent)
  if (parent.type === "MemberExpression" || parent.type === "TaggedTemplateExpression") return false
  return parent.type !== "ExpressionStatement"
}

/** Between tags, as in `<p>{isPinned && "pinned"}</p>`, even one word is a text. @param {readonly Node[]} above */
function isChild(above) {
  const [container, parent] = above.filter(({ type }) => !/^(?:Conditional|Logical)Expression$/.test(type))
  return container?.type === "JSXExpressionContainer" && /^JSX(?:Element|Fragment)$/.test(parent?.type ?? "")
}

/** `keys: "Del"`, a shortcut, and `kind: "Archived"`, a name for programs. @param {Node} property */
function isKeys({ key }) {
  return isNode(key) && /^(?:keys|kind)$/.test(String(key.name))
}

/** @param {Node} node */
function quasis(node) {
  const parts = Array.isArray(node.quasis) ? node.quasis.filter(isNode) : []
  return parts.map(({ value }) => /** @type {{ cooked?: string }} */ (value).cooked ?? "")
}

/**
 * @param {unknown} node
 * @param {string} source
 */
function sliceOf(node, source) {
  return isNode(node) ? source.slice(node.start, node.end) : ""
}
