/**
 * Compares the rules of docs/spec with the tests that quote them. Fails if a test or a comment cites a rule that does
 * not exist, or if a rule is stated twice. `--all` lists the rules that no test quotes.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const STATED = /^- \*\*([A-Z]{3}-\d+)\*\*/gm
/** `[QUE-4]` or `[QUE-4, QUE-5]`, as at the start of test names. */
const QUOTED = /\[((?:[A-Z]{3}-\d+)(?:,? [A-Z]{3}-\d+)*)\]/g

/**
 * @typedef {ReadonlyMap<string, string>} Texts texts by path
 * @param {{ spec: Texts, tests: Texts, sources: Texts }} texts
 */
export function checkRules({ spec, tests, sources }) {
  /** @type {Map<string, string>} */
  const stated = new Map()
  /** @type {string[]} */
  const wrong = []
  for (const [file, text] of spec) {
    for (const [, id = ""] of text.matchAll(STATED)) {
      if (stated.has(id)) wrong.push(`${file}: ${id} is stated in ${stated.get(id)} too`)
      stated.set(id, file)
    }
  }
  /** @type {Set<string>} */
  const quoted = new Set()
  for (const [file, text] of tests) {
    const ids = [...text.matchAll(QUOTED)].flatMap(([, list = ""]) => list.split(/,? /))
    for (const id of new Set(ids)) {
      if (stated.has(id)) quoted.add(id)
      else wrong.push(`${file}: quotes ${id}, which docs/spec does not state`)
    }
  }
  const known = new Set([...stated.keys()].map((id) => id.slice(0, 3)))
  for (const [file, text] of sources) {
    for (const id of new Set(text.match(/\b[A-Z]{3}-\d+\b/g) ?? [])) {
      if (known.has(id.slice(0, 3)) && !stated.has(id))
        wrong.push(`${file}: cites ${id}, which docs/spec does not state`)
    }
  }
  return { stated, quoted, wrong }
}

/** @param {string} folder */
export function readTexts(folder) {
  const isTest = (/** @type {string} */ file) => /\.test\.tsx?$|\/test\/|^test\//.test(file)
  const code = [...list(folder, "packages"), ...list(folder, "test")].filter((file) => /\.tsx?$/.test(file))
  const read = (/** @type {string[]} */ files) =>
    new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]))
  return {
    spec: read(list(folder, "docs/spec").filter((file) => file.endsWith(".md"))),
    tests: read(code.filter(isTest)),
    sources: read(code.filter((file) => !isTest(file))),
  }
}

/**
 * @param {string} folder
 * @param {string} path
 * @returns {string[]}
 */
function list(folder, path) {
  if (!existsSync(join(folder, path))) return []
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist") return []
    const inner = `${path}/${entry.name}`
    return entry.isDirectory() ? list(folder, inner) : [inner]
  })
}

/**
 * One line per page: how many of its rules are quoted by a test.
 *
 * @param {ReadonlyMap<string, string>} stated
 * @param {ReadonlySet<string>} quoted
 * @param {boolean} all
 */
function coverage(stated, quoted, all) {
  return [...new Set(stated.values())].sort().map((page) => {
    const ids = [...stated].filter(([, file]) => file === page).map(([id]) => id)
    const open = ids.filter((id) => !quoted.has(id))
    const line = `${page.padEnd(26)} ${String(ids.length - open.length).padStart(3)} of ${ids.length}`
    return all && open.length > 0 ? `${line}   not quoted: ${open.join(" ")}` : line
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { stated, quoted, wrong } = checkRules(readTexts(dirname(dirname(fileURLToPath(import.meta.url)))))
  for (const line of coverage(stated, quoted, process.argv.includes("--all"))) console.log(line)
  for (const sentence of wrong) console.error(sentence)
  console.log(`rules: ${quoted.size} of ${stated.size} quoted by tests, ${wrong.length} wrong`)
  if (wrong.length > 0) process.exitCode = 1
}
