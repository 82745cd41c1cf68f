/**
 * Bundles the built command into a few files instead of a thousand: it starts in half the time, which matters for tests
 * that start it hundreds of times. Created once per build, by the first test that needs it.
 */
import { createHash, randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises"
import { join, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Plugin } from "vite"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const CACHE = join(ROOT, "node_modules", ".cache", "parlor", "bundles")
const BIN = join(ROOT, "packages", "cli", "dist", "bin.js")
/** Folder of the worker entry points, which must be next to the bundle. */
const SQLITE = join(ROOT, "packages", "store", "dist", "sqlite")
/** How long bundles of earlier builds are kept, because another run may still use them. */
const KEPT_MS = 6 * 3_600_000

/** The file to run instead of `packages/cli/dist/bin.js`. */
export async function bundledBin(): Promise<string> {
  const folder = join(CACHE, await stampOfBuild())
  const file = join(folder, "bin.js")
  if (existsSync(file)) return file
  await removeOld()
  const making = join(CACHE, `making-${randomBytes(8).toString("hex")}`)
  await bundle(making)
  await rename(making, folder).catch(async (error: unknown) => {
    await rm(making, { recursive: true, force: true })
    if (!existsSync(file)) throw error
  })
  return file
}

async function bundle(outDir: string): Promise<void> {
  const { build } = await import("vite")
  await build({
    configFile: false,
    logLevel: "error",
    root: ROOT,
    plugins: [ownPlaces],
    ssr: { noExternal: true, external: ["@photostructure/sqlite", "pg-native"] },
    build: {
      ssr: true,
      outDir,
      minify: false,
      target: "node20",
      rolldownOptions: {
        input: {
          bin: BIN,
          worker: join(SQLITE, "thread", "worker.js"),
          "search-worker": join(SQLITE, "thread", "search-worker.js"),
        },
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  })
}

/** Files next to a module, such as templates and the page, are still resolved at their original place. */
const ownPlaces: Plugin = {
  name: "own-places",
  transform(code, id) {
    if (id.startsWith(SQLITE + sep) || !code.includes("import.meta.url")) return undefined
    return { code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)), map: null }
  },
}

async function stampOfBuild(): Promise<string> {
  const packages = join(ROOT, "packages")
  const names = (await readdir(packages)).filter((name) => name !== "web")
  const builds = names.map((name) => join(packages, name, "dist"))
  const files = (await Promise.all(builds.map(scriptsIn))).flat().sort()
  const marks = await Promise.all([join(ROOT, "package-lock.json"), ...files].map(mark))
  return createHash("sha256").update(marks.join("\n")).digest("hex").slice(0, 24)
}

async function scriptsIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => name.endsWith(".js")).map((name) => join(folder, name))
}

async function mark(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file)
  return `${file} ${size} ${mtimeMs}`
}

async function removeOld(): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  for (const name of await readdir(CACHE)) {
    const made = await stat(join(CACHE, name)).catch(() => undefined)
    if (made !== undefined && Date.now() - made.mtimeMs > KEPT_MS)
      await rm(join(CACHE, name), { recursive: true, force: true })
  }
}
