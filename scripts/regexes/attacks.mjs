/**
 * Hostile inputs for one regular expression, built from its own parts: a prefix that it matches, a repeated part that
 * causes backtracking, and an end that makes it fail.
 */
import { RegExpParser } from "@eslint-community/regexpp"

/**
 * @typedef {import("@eslint-community/regexpp/ast").Node} Node
 * @typedef {{ start: string, repeated: string, end: string }} Attack
 */

/** A quantifier with at least this maximum counts as unbounded. */
const MANY = 30
const MAX_LETTERS = 8
/** How many of them are tried in pairs and after every prefix. */
const MAX_PAIRED = 4
const MAX_BEGINNINGS = 40
/** One character of each class that patterns distinguish, in addition to the characters of the pattern itself. */
const LETTERS = [..." a0\n\t_-.,:;!?/\\|#@&%$^*+=~`'\"<>()[]{}AZz9\r\0é漢ก\u0301\u200d\u2028…😀ا"]
const ENDS = ["", "\0", "\n!"]
/** Parts that stand for exactly one character. */
const ONE_LETTER = new Set(["Character", "CharacterSet", "CharacterClass", "ExpressionCharacterClass"])

/**
 * Empty if nothing in it repeats: then the work at each position of the input is bounded.
 *
 * @param {string} pattern
 * @param {string} flags
 * @returns {Attack[]}
 */
export function attacksOn(pattern, flags) {
  const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  })
  const parts = [...partsOf(tree)]
  if (!parts.some((part) => part.type === "Quantifier" && part.max >= MANY)) return []
  const sample = samplerOf(flags)
  const letters = lettersOf(parts, flags)
  const begins = beginningsOf(parts, sample)
  const within = parts.flatMap((part) => (part.type === "Quantifier" ? [sample(part.element)] : []))
  const pairs = letters.slice(0, MAX_PAIRED).flatMap((one) => letters.map((other) => one + other))
  const longer = begins.flatMap((begin) => letters.map((letter) => begin + letter))
  return [
    ...combined([""], [...letters, ...within, ...pairs], ENDS),
    ...combined([""], [...begins, ...longer], [""]),
    ...combined(begins, [...letters.slice(0, MAX_PAIRED), ...within], ENDS),
  ]
}

/** @returns {Attack[]} */
function combined(
  /** @type {readonly string[]} */ starts,
  /** @type {readonly string[]} */ repeated,
  /** @type {readonly string[]} */ ends,
) {
  const distinct = [...new Set(repeated)].filter((again) => again !== "")
  return starts.flatMap((start) => distinct.flatMap((again) => ends.map((end) => ({ start, repeated: again, end }))))
}

/**
 * @param {Attack} attack
 * @param {number} length
 */
export function inputOf({ start, repeated, end }, length) {
  return start + repeated.repeat(Math.max(1, Math.floor(length / repeated.length))) + end
}

/**
 * @param {Node} node
 * @returns {Generator<Node>}
 */
function* partsOf(node) {
  yield node
  if (ONE_LETTER.has(node.type)) return
  if ("alternatives" in node) for (const child of node.alternatives) yield* partsOf(child)
  if (node.type === "Alternative") for (const child of node.elements) yield* partsOf(child)
  if (node.type === "Quantifier") yield* partsOf(node.element)
}

/**
 * One letter per set of parts that it matches: two letters that match the same parts are the same attack. Literal
 * characters of the pattern come last, because they match little else.
 */
function lettersOf(/** @type {readonly Node[]} */ parts, /** @type {string} */ flags) {
  const own = parts.flatMap((part) => (part.type === "Character" ? [String.fromCodePoint(part.value)] : []))
  const sets = parts.filter(({ type }) => ONE_LETTER.has(type) && type !== "Character").map(({ raw }) => raw)
  const single = [...new Set([...sets, String.raw`\w`])]
  const tests = single.map((raw) => new RegExp(`^(?:${raw})$`, flags.replace(/[gymd]/g, "")))
  /** @type {Map<string, string>} */
  const byMatches = new Map()
  for (const letter of [...LETTERS, ...own]) {
    const matches = tests.map((test) => (test.test(letter) ? "1" : "0")).join("")
    if (!byMatches.has(matches)) byMatches.set(matches, letter)
  }
  // Letters that match the most parts can be matched in the most ways.
  const fits = (/** @type {string} */ matches) => matches.split("1").length
  const telling = [...byMatches].sort(([a], [b]) => fits(b) - fits(a)).map(([, letter]) => letter)
  return [...new Set([...telling.slice(0, MAX_LETTERS), ...own])].slice(0, MAX_LETTERS)
}

/** Texts that match the first part of each alternative, the first two, and so on up to the whole. */
function beginningsOf(/** @type {readonly Node[]} */ parts, /** @type {(node: Node) => string} */ sample) {
  const begins = parts.flatMap((part) => {
    if (part.type !== "Alternative") return []
    const { elements } = part
    // Of a run of literal characters, only the whole run.
    const ends = elements.flatMap((one, at) =>
      one.type === "Character" && elements[at + 1]?.type === "Character" ? [] : [at + 1],
    )
    return ends.map((end) => elements.slice(0, end).map(sample).join(""))
  })
  return [...new Set(begins)].filter((begin) => begin !== "" && begin.length < 400).slice(0, MAX_BEGINNINGS)
}

/** @returns {(node: Node) => string} a short text that the part matches, as far as the letters here allow */
function samplerOf(/** @type {string} */ flags) {
  const plain = flags.replace(/[gymd]/g, "")
  /** @type {(node: Node) => string} */
  const sample = (node) => {
    if (node.type === "Character") return String.fromCodePoint(node.value)
    if (ONE_LETTER.has(node.type)) {
      const test = new RegExp(`^(?:${node.raw})$`, plain)
      return LETTERS.slice(1).find((letter) => test.test(letter)) ?? (test.test(" ") ? " " : "")
    }
    if (node.type === "Quantifier") return sample(node.element).repeat(Math.min(Math.max(node.min, 1), MANY))
    if (node.type === "Backreference") return Array.isArray(node.resolved) ? "" : sample(node.resolved)
    if (node.type === "Assertion" || !("alternatives" in node)) return ""
    const [first] = node.alternatives
    return first?.type === "Alternative" ? first.elements.map(sample).join("") : ""
  }
  return sample
}
