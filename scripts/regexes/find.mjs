/**
 * Every regular expression in the sources of the packages. Literals are read from the syntax tree. Those built with
 * `new RegExp` are read from the running module, so they have to be built while it loads: one built later, perhaps from
 * user input, cannot be checked and is reported as a defect.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseAst } from "vite"
import { root } from "../setup.mjs"

/**
 * @typedef {{ file: string, pattern: string, flags: string }} Found
 * @typedef {{ type?: string, start?: number, regex?: { pattern: string, flags: string }, callee?: { name?: string } }} Part
 */

/** Code inside these nodes runs when called, not when its module loads. */
const LATER = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

/** Files whose functions are called while modules load; what they build is recorded then. */
const BUILDERS = new Set(["packages/core/src/text/lookalikes.ts"])

/** @returns {string[]} paths from the root of the repository */
function sourceFiles() {
  return readdirSync(join(root, "packages")).flatMap((name) => {
    const folder = join(root, "packages", name, "src")
    if (!existsSync(folder)) return []
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => `packages/${name}/src/${path.replaceAll("\\", "/")}`)
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path))
      .sort()
  })
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {{ literals: Found[], isBuilding: boolean, defects: string[] }}
 */
export function regexesIn(file, text) {
  /** @type {Found[]} */
  const literals = []
  /** @type {string[]} */
  const defects = []
  let isBuilding = false
  const look = (/** @type {unknown} */ node, /** @type {boolean} */ isLater) => {
    if (typeof node !== "object" || node === null) return
    const part = /** @type {Part} */ (node)
    if (part.type === "Literal" && part.regex !== undefined) literals.push({ file, ...part.regex })
    if ((part.type === "NewExpression" || part.type === "CallExpression") && part.callee?.name === "RegExp") {
      const line = text.slice(0, part.start).split("\n").length
      if (isLater && !BUILDERS.has(file))
        defects.push(`${file}:${line} builds a regular expression inside a function: build it once, outside`)
      else isBuilding = true
    }
    for (const child of Object.values(node)) look(child, isLater || LATER.has(part.type ?? ""))
  }
  look(parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }), false)
  return { literals, isBuilding, defects }
}

/**
 * Loads these modules and records the expressions that they build.
 *
 * @param {readonly string[]} files
 * @returns {Promise<Found[]>}
 */
async function builtRegexes(files) {
  /** @type {Found[]} */
  const built = []
  const Given = globalThis.RegExp
  globalThis.RegExp = /** @type {RegExpConstructor} */ (
    class extends Given {
      constructor(/** @type {string | RegExp} */ pattern, /** @type {string | undefined} */ flags) {
        super(pattern, flags)
        const stack = new Error().stack?.replaceAll("\\", "/") ?? ""
        const file = files.find((path) => stack.includes(`/${path}`))
        if (file !== undefined) built.push({ file, pattern: this.source, flags: this.flags })
      }
    }
  )
  for (const file of files) await import(pathToFileURL(join(root, file)).href)
  globalThis.RegExp = Given
  return built.filter(
    ({ file, pattern }, at) => built.findIndex((b) => b.file === file && b.pattern === pattern) === at,
  )
}

/** @returns {Promise<{ found: Found[], defects: string[] }>} */
export async function findRegexes() {
  const looked = sourceFiles().map((file) => ({
    file,
    ...regexesIn(file, readFileSync(join(root, file), "utf8")),
  }))
  const building = looked.filter(({ isBuilding }) => isBuilding).map(({ file }) => file)
  const built = await builtRegexes(building)
  const unseen = building.filter((file) => !built.some((one) => one.file === file))
  return {
    found: [...looked.flatMap(({ literals }) => literals), ...built],
    defects: [
      ...looked.flatMap(({ defects }) => defects),
      ...unseen.map((file) => `${file} uses RegExp, but builds none while it loads`),
    ],
  }
}
