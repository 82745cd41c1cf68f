/**
 * What a package contains when it is published: its built files, README, LICENSE and a manifest for its users.
 *
 * A build may contain files whose source is gone, and maps of sources that are not published; both are left out.
 * Declarations import `./file.js`, because TypeScript before 5.7 does not resolve `./file.ts`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../setup.mjs"
import { REPOSITORY, SCOPE } from "./identity.mjs"

/** The scope that the sources use. */
const SOURCE_SCOPE = "@parlor"
/** The build contains everything that these packages import. */
const BUNDLED = new Set(["web"])
const TEXT = /\.(?:js|ts|json|md|css|html)$/

/**
 * @typedef {Record<string, unknown> & { name: string, version: string, files: string[], bin?: Record<string, string>, exports?: Record<string, Record<string, string>> }} Manifest
 * @typedef {{ folder: string, manifest: Manifest, files: ReadonlyMap<string, Buffer> }} PackedPackage
 */

/**
 * All packages that are published, each with its files by path.
 *
 * @param {{ scope?: string }} [options]
 * @returns {PackedPackage[]}
 */
export function packages({ scope = SCOPE } = {}) {
  const folders = readdirSync(join(root, "packages")).sort()
  return folders.map((folder) => packageOf(folder, scope))
}

/**
 * @param {string} folder
 * @param {string} scope
 * @returns {PackedPackage}
 */
function packageOf(folder, scope) {
  const home = join(root, "packages", folder)
  const own = /** @type {Manifest} */ (JSON.parse(readFileSync(join(home, "package.json"), "utf8")))
  const manifest = renamed(publishedManifest(own, folder), scope)
  /** @type {Map<string, Buffer>} */
  const files = new Map()
  files.set("package.json", Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  files.set("LICENSE", readFileSync(join(root, "LICENSE")))
  for (const path of ["README.md", ...own.files.flatMap((entry) => list(home, entry))])
    if (existsSync(join(home, path)) && isPublished(home, path, own)) files.set(path, contentOf(home, path, scope))
  return { folder, manifest, files }
}

/**
 * Without what only the repository needs.
 *
 * @param {Manifest} manifest
 * @param {string} folder
 * @returns {Manifest}
 */
function publishedManifest(manifest, folder) {
  const { devDependencies: _, exports: entries, dependencies, ...rest } = manifest
  const exported = Object.entries(entries ?? {}).map(([name, { [`${SOURCE_SCOPE}/source`]: _, ...conditions }]) => [
    name,
    conditions,
  ])
  return {
    ...rest,
    ...(dependencies === undefined || BUNDLED.has(folder) ? {} : { dependencies }),
    repository: { type: "git", url: REPOSITORY, directory: `packages/${folder}` },
    ...(entries === undefined
      ? {}
      : { exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" } }),
  }
}

/**
 * @param {string} home
 * @param {string} path
 * @param {Manifest} manifest
 */
function isPublished(home, path, manifest) {
  if (/\.(?:map|tsbuildinfo)$/.test(path)) return false
  if (path.startsWith("bundle/")) return true
  // The bundle has everything, except for programs and what browsers load.
  const isBundled = manifest.files.includes("bundle") && !JSON.stringify(manifest.exports).includes('"node"')
  if (isBundled && path.endsWith(".js")) return Object.values(manifest.bin ?? {}).includes(`./${path}`)
  const built = /^dist\/(.+?)(?:\.d\.ts|\.js)$/.exec(path)
  if (built === null || !existsSync(join(home, "tsconfig.json")) || !existsSync(join(home, "src", "index.ts")))
    return true
  return [".ts", ".tsx"].some((end) => existsSync(join(home, "src", `${built[1]}${end}`)))
}

/**
 * @param {string} home
 * @param {string} path
 * @param {string} scope
 */
function contentOf(home, path, scope) {
  const bytes = readFileSync(join(home, path))
  if (!TEXT.test(path) || path.startsWith("dist/assets/")) return bytes
  const text = bytes.toString().replace(/^\/\/# sourceMappingURL=.*\n?/m, "")
  const declared = path.endsWith(".d.ts")
    ? text.replace(/((?:from|import\()\s*["'])(\.{1,2}\/[^"']+)\.tsx?(["'])/g, "$1$2.js$3")
    : text
  return Buffer.from(renamed(declared, scope))
}

/**
 * With another scope in place of the sources' one.
 *
 * @template {string | Manifest} T
 * @param {T} value
 * @param {string} scope
 * @returns {T}
 */
function renamed(value, scope) {
  if (scope === SOURCE_SCOPE) return value
  if (typeof value === "string") return /** @type {T} */ (value.replaceAll(`${SOURCE_SCOPE}/`, `${scope}/`))
  return JSON.parse(JSON.stringify(value).replaceAll(`${SOURCE_SCOPE}/`, `${scope}/`))
}

/**
 * @param {string} home
 * @param {string} path a file or a folder
 * @returns {string[]}
 */
function list(home, path) {
  const entries = readdirSync(join(home, path, ".."), { withFileTypes: true })
  const entry = entries.find(({ name }) => name === path.split("/").at(-1))
  if (entry === undefined) throw new Error(`${join(home, path)} is missing. Run npm run build.`)
  if (entry.isFile()) return [path]
  return readdirSync(join(home, path))
    .sort()
    .flatMap((name) => list(home, `${path}/${name}`))
}
