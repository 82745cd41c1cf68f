/**
 * Checks the texts of the page (packages/web/src/texts). Fails on a text outside the catalog, a key that nothing uses, a
 * part that a language lacks, slots that differ between languages, and a text that is read while a module loads, before
 * the language is known. Missing keys and values are type errors already.
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { findPlainTexts } from "./texts/plain.mjs"
import { inside, parse, walk } from "./texts/syntax.mjs"

const SOURCE = "packages/web/src/"
const ENGLISH = /^texts\/en\/([\w-]+)\.ts$/
const TRANSLATED = /^texts\/([a-z]{2})\/([\w-]+)\.ts$/
const NOT_SHOWN = /\.test\.tsx?$|\/fixtures\.tsx?$|\/testing\//

/** Its keys are the codes of errors; a test compares them with the server's. */
const BY_CODE = new Set(["problem"])

/**
 * Returns one sentence per violation.
 *
 * @param {ReadonlyMap<string, string>} files by path from the page's sources
 * @returns {string[]}
 */
export function checkTexts(files) {
  const code = [...files].filter(([file]) => !NOT_SHOWN.test(file))
  const parts = new Map(
    code.flatMap(([file, text]) => {
      const [, name] = ENGLISH.exec(file) ?? []
      return name === undefined ? [] : [[name, wordsIn(file, text)]]
    }),
  )
  const shown = code.filter(([file]) => !file.startsWith("texts/"))
  const users = shown.map(([file, text]) => ({ file, text, imported: partsOf(file, text) }))
  return [
    ...translations(parts, code),
    ...[...parts].flatMap(([part, words]) => unused(part, words, users)),
    ...users.flatMap(({ file, text, imported }) => readTooEarly(file, text, imported)),
    ...shown.flatMap(([file, text]) => findPlainTexts(file, text)),
  ]
}

/** @typedef {ReadonlyMap<string, readonly string[]>} Words the slots of each key */

/**
 * @param {ReadonlyMap<string, Words>} english
 * @param {readonly (readonly [string, string])[]} code
 */
function translations(english, code) {
  const other = code.flatMap(([file, text]) => {
    const [, language = "", part = ""] = TRANSLATED.exec(file) ?? []
    return language === "" || language === "en" ? [] : [{ file, language, part, words: wordsIn(file, text) }]
  })
  const languages = new Set(other.map(({ language }) => language))
  const missing = [...languages].flatMap((language) =>
    [...english.keys()]
      .filter((part) => !other.some((one) => one.language === language && one.part === part))
      .map((part) => `texts/${language}/${part}.ts is missing`),
  )
  const different = other.flatMap(({ file, part, words }) => {
    const source = english.get(part)
    if (source === undefined) return [`${file}: English has no part "${part}"`]
    return [...words]
      .filter(([key, slots]) => source.has(key) && source.get(key)?.join() !== slots.join())
      .map(([key]) => `${file}: "${key}" needs the slots {${source.get(key)?.join("}, {")}}`)
  })
  return [...missing, ...different]
}

/**
 * @param {string} part
 * @param {Words} words
 * @param {readonly { text: string, imported: ReadonlyMap<string, string> }[]} users
 */
function unused(part, words, users) {
  if (BY_CODE.has(part)) return []
  const texts = users.filter(({ imported }) => [...imported.values()].includes(part)).map(({ text }) => text)
  return [...words.keys()]
    .filter((key) => !texts.some((text) => text.includes(`"${key}"`) || new RegExp(`\\b${key}\\b`).test(text)))
    .map((key) => `texts/en/${part}.ts: nothing uses "${key}"`)
}

/**
 * @param {string} file
 * @param {string} text
 * @param {ReadonlyMap<string, string>} imported
 */
function readTooEarly(file, text, imported) {
  /** @type {string[]} */
  const wrong = []
  walk(parse(file, text), (node, above) => {
    if (node.type !== "CallExpression" || inside(above, /Function|MethodDefinition/)) return
    const { start, end } = /** @type {import("./texts/syntax.mjs").Node} */ (node.callee)
    const [name = ""] = text.slice(start, end).split(".")
    if (imported.has(name)) wrong.push(`${file}: ${text.slice(node.start, node.end)} runs before the language is known`)
  })
  return wrong
}

/**
 * The parts that a file imports, by the name they have there.
 *
 * @param {string} file
 * @param {string} text
 */
function partsOf(file, text) {
  const imports = text.matchAll(/^import \{ t(?: as (\w+))? \} from "([^"]+\/)([\w-]+)\.ts"$/gm)
  return new Map(
    [...imports]
      .filter(([, , folder = ""]) => posix.join(posix.dirname(file), folder) === "texts/en/")
      .map(([, name = "t", , part = ""]) => [name, part]),
  )
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Words}
 */
function wordsIn(file, text) {
  /** @type {Map<string, readonly string[]>} */
  const words = new Map()
  walk(parse(file, text), (node, above) => {
    if (node.type !== "Property" || above.some(({ type }) => type === "Property")) return
    const key = /** @type {import("./texts/syntax.mjs").Node} */ (node.key)
    const slots = new Set([...text.slice(node.start, node.end).matchAll(/\{(\w+)\}/g)].map(([, slot = ""]) => slot))
    words.set(String(key.name ?? key.value), [...slots].sort())
  })
  return words
}

function root() {
  return join(dirname(fileURLToPath(import.meta.url)), "..")
}

function readSources() {
  const folder = join(root(), SOURCE)
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"))
  return new Map(
    names.filter((name) => /\.tsx?$/.test(name)).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = readSources()
  const wrong = checkTexts(files)
  for (const sentence of wrong) console.error(sentence)
  console.log(`texts: ${wrong.length} problems`)
  process.exitCode = wrong.length > 0 ? 1 : 0
}
