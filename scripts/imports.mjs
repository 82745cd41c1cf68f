/**
 * Checks which package may import which. Fails on a forbidden direction, a cycle between files or folders, a `node:`
 * import in code that must also run in a browser, test code in the product, a package missing from the importer's
 * package.json, and folder graphs in ARCHITECTURE.md that are out of date; `--write` updates them.
 *
 * Tests may import any package, because they assemble real parts.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { drawFolders, FOLDER_ROOTS, folderCycles, folderGraph, withDrawing } from "./folders.mjs"

/** @type {Readonly<Record<string, readonly string[]>>} */
const MAY_IMPORT = {
  protocol: [],
  core: ["protocol"],
  store: ["core", "protocol"],
  files: ["core", "protocol"],
  sandbox: ["core"],
  models: ["core", "protocol"],
  agent: ["core", "models", "protocol"],
  testing: ["agent", "core", "protocol"],
  mcp: ["core", "protocol"],
  acp: ["core", "protocol"],
  adapters: ["protocol"],
  server: ["adapters", "core", "protocol"],
  client: ["protocol"],
  react: ["client", "protocol"],
  web: ["client", "protocol"],
  create: [],
  cli: ["adapters", "client", "protocol"],
}
/** The composition root. */
const SERVE = /^packages\/cli\/src\/serve(\.ts$|\/)/
const SERVE_MAY_IMPORT = [
  "acp",
  "adapters",
  "agent",
  "client",
  "core",
  "files",
  "mcp",
  "models",
  "protocol",
  "sandbox",
  "server",
  "store",
  "web",
]
const WITHOUT_NODE = new Set(["protocol", "adapters", "core", "client", "react", "web"])

const TEST_FILE = /\.test\.tsx?$|^test\/|^packages\/[^/]+\/test\//
const TESTING_CODE = /(^|\/)testing(\/|$)|\.test\.tsx?$/
const STATEMENT = /^[ \t]*(?:import|export)\s+[\w$*\s{},]+?\s*from\s*["']([^"'\n]+)["']/gm
const BARE = /^[ \t]*import\s*["']([^"'\n]+)["']/gm
const DYNAMIC = /^(?![ \t]*(?:\/\/|\*)).*?\bimport\(\s*["']([^"'\n]+)["']/gm

/**
 * @typedef {{ name?: string, dependencies?: Record<string, string>, devDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} Manifest
 * @typedef {{ files: ReadonlyMap<string, string>, manifests: ReadonlyMap<string, Manifest>, root: Manifest }} Sources
 */

/**
 * Returns one sentence per violation.
 *
 * @param {Sources} sources files by path from the root of the repository, manifests by package folder
 * @returns {string[]}
 */
export function checkImports({ files, manifests, root }) {
  /** @type {string[]} */
  const wrong = []
  const graph = fileGraph(files)
  for (const [file, text] of files) {
    for (const to of importsOf(text)) {
      const sentence = judge(files, manifests, root, file, to)
      if (sentence) wrong.push(`${file}: ${sentence}`)
    }
  }
  const cycles = findCycles(graph).map((cycle) => `import cycle: ${cycle.join(" → ")}`)
  return [...wrong, ...cycles, ...FOLDER_ROOTS.flatMap((root) => folderCycles(folderGraph(graph, root), root))]
}

/**
 * Returns the document with every folder graph updated.
 *
 * @param {ReadonlyMap<string, string>} files
 * @param {string} text
 */
export function withFolderGraphs(files, text) {
  const graph = fileGraph(files)
  return FOLDER_ROOTS.reduce((now, root) => withDrawing(now, root, drawFolders(folderGraph(graph, root))) ?? "", text)
}

/**
 * The files that each file imports.
 *
 * @param {ReadonlyMap<string, string>} files
 * @returns {Map<string, string[]>}
 */
function fileGraph(files) {
  return new Map(
    [...files].map(([file, text]) => [
      file,
      importsOf(text)
        .map((to) => resolveFile(files, file, to))
        .filter((to) => to !== undefined),
    ]),
  )
}

/** @param {string} text */
export function importsOf(text) {
  return [STATEMENT, BARE, DYNAMIC].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""))
}

/**
 * @param {ReadonlyMap<string, string>} files
 * @param {ReadonlyMap<string, Manifest>} manifests
 * @param {Manifest} root
 * @param {string} file
 * @param {string} to
 */
function judge(files, manifests, root, file, to) {
  const isTest = TEST_FILE.test(file)
  const from = packageOf(file)
  if (to.startsWith("node:")) {
    const barred = !isTest && from !== undefined && WITHOUT_NODE.has(from)
    return barred ? `${from} may not import ${to}: it has to run without Node` : undefined
  }
  if (!isTest && !TESTING_CODE.test(file) && TESTING_CODE.test(to)) return `imports test code ${to}`
  if (to.startsWith(".")) {
    const target = packageOf(resolveFile(files, file, to) ?? posix.join(posix.dirname(file), to))
    const crosses = !isTest && target !== from
    return crosses ? `reaches into packages/${target} by path (${to}); import its name` : undefined
  }
  const name = packageName(to)
  if (!isTest && from !== undefined && name.startsWith("@parlor/")) {
    const target = name.slice("@parlor/".length)
    const allowed = SERVE.test(file) ? SERVE_MAY_IMPORT : MAY_IMPORT[from]
    if (allowed === undefined) return `package ${from} is not in the table of scripts/imports.mjs`
    if (target !== from && !allowed.includes(target)) return `${from} may not import ${name}`
  }
  const own = manifests.get(from ?? posix.dirname(file))
  // A program of a package uses its bundle, by the name of the package.
  if (own?.name === name) return undefined
  const mayUseDev = isTest || TESTING_CODE.test(file)
  const named = mayUseDev
    ? [own?.dependencies, own?.devDependencies, root.dependencies, root.devDependencies]
    : [own?.dependencies, own?.peerDependencies]
  if (mayUseDev && name.startsWith("@parlor/")) return undefined
  return named.some((list) => list?.[name] !== undefined) ? undefined : `${name} is not in its package.json`
}

/**
 * Groups of files that import each other: the strongly connected components (Tarjan).
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @returns {string[][]}
 */
export function findCycles(graph) {
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const cycles = []
  /** @param {string} file */
  const visit = (file) => {
    const mine = { index: seen.size, low: seen.size, open: true }
    seen.set(file, mine)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      const known = seen.get(next)
      if (known === undefined) mine.low = Math.min(mine.low, visit(next).low)
      else if (known.open) mine.low = Math.min(mine.low, known.index)
    }
    if (mine.low === mine.index) {
      const group = stack.splice(stack.indexOf(file))
      for (const member of group) seen.set(member, { ...(seen.get(member) ?? mine), open: false })
      if (group.length > 1 || graph.get(file)?.includes(file)) cycles.push([...group, file])
    }
    return mine
  }
  for (const file of graph.keys()) if (!seen.has(file)) visit(file)
  return cycles
}

/**
 * @param {ReadonlyMap<string, string>} files
 * @param {string} file
 * @param {string} to
 */
function resolveFile(files, file, to) {
  if (!to.startsWith(".")) return undefined
  const base = posix.join(posix.dirname(file), to)
  return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((path) => files.has(path))
}

/** @param {string} path */
function packageOf(path) {
  return /^packages\/([^/]+)\//.exec(path)?.[1]
}

/** @param {string} specifier */
function packageName(specifier) {
  const [first = "", second = ""] = specifier.split("/")
  return first.startsWith("@") ? `${first}/${second}` : first
}

/**
 * Reads the sources of a repository laid out like this one.
 *
 * @param {string} folder
 * @returns {Sources}
 */
export function readSources(folder) {
  const packages = readdirSync(join(folder, "packages"))
  const places = ["test", ...packages.flatMap((name) => [`packages/${name}/src`, `packages/${name}/test`])]
  const files = places.flatMap((place) => list(folder, place))
  return {
    files: new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")])),
    // The tools that read the OpenAPI document have their own workspace.
    manifests: new Map([
      ...packages.map(
        (name) => /** @type {const} */ ([name, readJson(join(folder, "packages", name, "package.json"))]),
      ),
      ["test/openapi", readJson(join(folder, "test", "openapi", "package.json"))],
    ]),
    root: readJson(join(folder, "package.json")),
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
    const inner = `${path}/${entry.name}`
    if (entry.name === "node_modules") return []
    if (entry.isDirectory()) return list(folder, inner)
    return /\.tsx?$/.test(entry.name) ? [inner] : []
  })
}

/** @param {string} file */
function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = dirname(dirname(fileURLToPath(import.meta.url)))
  const sources = readSources(folder)
  const wrong = checkImports(sources)
  const document = join(folder, "ARCHITECTURE.md")
  const before = readFileSync(document, "utf8")
  const after = withFolderGraphs(sources.files, before)
  if (after === "") wrong.push("ARCHITECTURE.md: the markers of a folder graph are missing (scripts/folders.mjs)")
  else if (process.argv.includes("--write")) writeFileSync(document, after)
  else if (after !== before)
    wrong.push("ARCHITECTURE.md: the folder graph is stale. Run node scripts/imports.mjs --write")
  for (const sentence of wrong) console.error(sentence)
  console.log(`imports: ${sources.files.size} files, ${wrong.length} wrong`)
  if (wrong.length > 0) process.exitCode = 1
}
