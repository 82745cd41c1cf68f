/**
 * Bundles the compiled packages that the server loads: each becomes one file, and one more for what it loads later.
 *
 * Loading a thousand small modules took half of the server's start. Packages import each other as before, so a config
 * that imports `@parlor/agent` shares its modules with the server.
 */
import { readFileSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { rolldown } from "rolldown"
import { root, script } from "./setup.mjs"

/**
 * Threads, which are started by the name of their file. They share no modules with others, so each has all it needs of
 * other packages in its bundle, and nothing else: a thread does not load the schemas of every request.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const THREADS = { store: ["sqlite/thread/worker", "sqlite/thread/search-worker"] }

/**
 * The entries of a package, by their exports: the compiled file, and the name of its bundle.
 *
 * @param {string} folder
 */
function entriesOf(folder) {
  const home = join(root, "packages", folder)
  /** @type {{ name: string, exports: Record<string, Record<string, string>> }} */
  const { name, exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
  return Object.entries(exports).map(([path, conditions]) => {
    const source = conditions["@parlor/source"] ?? ""
    return {
      id: join(name, path),
      file: join(home, source.replace("./src/", "dist/").replace(/\.ts$/, ".js")),
      bundle: basename(conditions.node ?? conditions.default ?? "", ".js"),
    }
  })
}

/**
 * Escapes everything that is not ASCII: V8 keeps the source of every module in memory, and needs two bytes for each
 * character of it if there is a single arrow or ellipsis. Without comments, such characters are only in strings, names
 * and regular expressions, where the escape means the same.
 *
 * @type {import("rolldown").Plugin}
 */
const ASCII = {
  name: "ascii",
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== "chunk") continue
      const raw =
        AFTER_BACKSLASH.exec(file.code)?.[0] ?? rawTexts(this.parse(file.code)).find((text) => NOT_ASCII.test(text))
      if (raw !== undefined) throw new Error(`${file.fileName}: an escape would change this text. Use ASCII: ${raw}`)
      file.code = file.code.replace(EACH_NOT_ASCII, escaped)
    }
  },
}
/** An escape would not mean the same there, nor in a template that its tag may read as it is written. */
const AFTER_BACKSLASH = /.{0,40}(?<!\\)(?:\\\\)*\\[^\0-\x7f].{0,40}/
const NOT_ASCII = /[^\0-\x7f]/
const EACH_NOT_ASCII = /[^\0-\x7f]/g
const escaped = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * The texts of all templates with a tag.
 *
 * @param {unknown} node
 * @returns {string[]}
 */
function rawTexts(node) {
  if (typeof node !== "object" || node === null) return []
  if (Array.isArray(node)) return node.flatMap(rawTexts)
  const { type, quasi } = /** @type {{ type?: unknown, quasi?: { quasis: { value: { raw: string } }[] } }} */ (node)
  const own = type === "TaggedTemplateExpression" ? (quasi?.quasis ?? []).map(({ value }) => value.raw) : []
  return [...own, ...Object.values(node).flatMap(rawTexts)]
}

/**
 * @param {string} folder
 * @param {import("rolldown").InputOptions} input
 */
async function write(folder, input) {
  // What is exported and loaded later is in the bundle all the same, which is meant.
  const build = await rolldown({ platform: "node", checks: { ineffectiveDynamicImport: false }, ...input })
  await build.write({
    dir: join(root, "packages", folder, "bundle"),
    format: "esm",
    comments: false,
    plugins: [ASCII],
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  })
  await build.close()
}

/** @param {string} id */
const isForeign = (id) => !id.startsWith(".") && !id.startsWith("/")

await script(async () => {
  const folders = process.argv.slice(2)
  const entries = new Map(folders.map((folder) => [folder, entriesOf(folder)]))
  const alias = Object.fromEntries([...entries.values()].flat().map(({ id, file }) => [id, file]))
  for (const [folder, exported] of entries) {
    rmSync(join(root, "packages", folder, "bundle"), { recursive: true, force: true })
    await write(folder, {
      input: Object.fromEntries(exported.map(({ bundle, file }) => [bundle, file])),
      external: isForeign,
    })
    for (const thread of THREADS[folder] ?? [])
      await write(folder, {
        input: { [basename(thread)]: join(root, "packages", folder, "dist", `${thread}.js`) },
        external: (id) => isForeign(id) && alias[id] === undefined,
        resolve: { alias },
      })
  }
})
