/**
 * Checks that all SQL stores have the same files. A folder of packages/store/src with an `open.ts` is a store. Files that
 * only one store needs go into a subfolder whose name says why.
 */
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * @param {ReadonlyMap<string, readonly string[]>} stores the files of each store, by its folder
 * @returns {string[]} one sentence for each file that is missing somewhere
 */
export function checkStores(stores) {
  const all = new Set([...stores.values()].flat())
  return [...stores].flatMap(([folder, files]) =>
    [...all]
      .filter((file) => !files.includes(file))
      .map((file) => `${folder}/${file} is missing: another store has it. Add it, or move the other to a subfolder.`),
  )
}

/** @param {string} folder */
export function readStores(folder) {
  const isFile = (/** @type {string} */ name) => name.endsWith(".ts") && !name.endsWith(".test.ts")
  const found = readdirSync(folder).filter((name) => existsSync(join(folder, name, "open.ts")))
  return new Map(found.map((name) => [name, readdirSync(join(folder, name)).filter(isFile)]))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const stores = readStores(join(root, "packages", "store", "src"))
  const wrong = checkStores(stores)
  for (const line of wrong) console.log(line)
  const files = Math.max(...[...stores.values()].map((list) => list.length))
  console.log(`stores: ${[...stores.keys()].join(" and ")} have ${files} files each, ${wrong.length} wrong`)
  if (wrong.length > 0) process.exitCode = 1
}
