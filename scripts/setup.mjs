/**
 * Prepares a fresh clone: checks the Node version, installs the dependencies, builds.
 *
 * Each step stores a stamp of its inputs and is skipped while the stamp is still valid. Only Node's
 * own modules are imported, and those that a single step needs are imported when it runs.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const cache = join(root, "node_modules", ".cache", "parlor")

const MIN_NODE = [20, 19]
/** Built by `tsc -b`, in the order of the root tsconfig.json. */
const COMPILED = [
  "protocol",
  "core",
  "store",
  "files",
  "sandbox",
  "models",
  "agent",
  "testing",
  "adapters",
  "server",
  "client",
  "react",
  "mcp",
  "create",
  "acp",
  "cli",
]
/** Those of them that the server loads. Each becomes a bundle (`bundle.mjs`). */
const LOADED = [
  "protocol",
  "core",
  "store",
  "files",
  "sandbox",
  "models",
  "agent",
  "adapters",
  "server",
  "mcp",
  "acp",
  "cli",
]
/** The sources of the page. */
const BUNDLED = ["protocol", "client", "web"]
const CONFIG_FILES = ["package.json", "tsconfig.json", "vite.config.ts", "compressed.ts", "index.html", "shared.html"]

/** Exits with a message if Node is too old. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const [minMajor = 0, minMinor = 0] = MIN_NODE
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return
  console.error(`Parlor needs Node ${MIN_NODE.join(".")} or newer; this is ${process.versions.node}.`)
  console.error("Get a current one from your package manager or from nodejs.org, then run the same command again.")
  process.exit(1)
}

/** Runs `npm ci` if node_modules is missing or was installed from another lock file or by another Node version. */
export async function ensureInstalled() {
  checkNode()
  const lock = readFileSync(join(root, "package-lock.json"), "utf8")
  const node = `node ${process.versions.node.split(".")[0]} ${process.platform} ${process.arch}`
  const stamp = `${createHash("sha256").update(lock).digest("hex")} ${node}`
  const known = readStamp("installed")
  if (known === stamp) return
  const sameNode = known === undefined || known.endsWith(node)
  if (!(sameNode && isInstalled(lock))) {
    await step("Installing dependencies (npm ci)", async () => {
      const npm = process.env.npm_execpath
      const viaNode = npm?.endsWith("npm-cli.js")
      const args = ["ci", "--include=dev", "--loglevel=error"]
      await run(viaNode ? process.execPath : "npm", viaNode && npm ? [npm, ...args] : args)
    })
  }
  writeStamp("installed", stamp)
}

/**
 * Compiles the packages, and with `web` bundles the page, if their sources changed.
 *
 * @param {{ web: boolean }} options
 */
export async function ensureBuilt({ web }) {
  const files = new Map(["", ...COMPILED, "web"].map((name) => [name, fingerprint(name)]))
  const of = (/** @type {string[]} */ names) => digest(["", ...names].map((name) => files.get(name) ?? ""))
  const missing = [
    ...COMPILED.filter((name) => !existsSync(join(root, "packages", name, "dist"))),
    ...LOADED.filter((name) => !existsSync(join(root, "packages", name, "bundle", "index.js"))),
  ]
  if (missing.length > 0 || readStamp("compiled") !== of(COMPILED)) {
    await step("Compiling", async () => {
      const force = missing.length > 0 ? ["--force"] : []
      await run(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-b", ...force])
      await run(process.execPath, [join(root, "scripts", "bundle.mjs"), ...LOADED])
    })
    writeStamp("compiled", of(COMPILED))
  }
  if (!web) return
  const page = join(root, "packages", "web", "dist", "index.html")
  if (existsSync(page) && readStamp("bundled") === of(BUNDLED)) return
  await step("Building the page", async () => {
    const vite = join(root, "node_modules", "vite", "bin", "vite.js")
    for (const mode of ["production", "shared"])
      await run(process.execPath, [vite, "build", "--mode", mode, "--logLevel", "warn"], {
        cwd: join(root, "packages", "web"),
        env: { ...process.env, NODE_ENV: "production" },
      })
  })
  writeStamp("bundled", of(BUNDLED))
}

/**
 * Runs a program with inherited output, and throws a `StepFailed` if it fails.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export async function run(program, args, options = {}) {
  const { spawn } = await import("node:child_process")
  const child = spawn(program, args, { cwd: root, ...options, stdio: ["ignore", "inherit", "inherit"] })
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (status, signal) => resolve(status ?? signal))
  })
  if (code !== 0) throw new StepFailed(`${program} exited with ${code}`)
}

/** A failure whose cause is already on the terminal. */
export class StepFailed extends Error {}

/**
 * Runs a script's main function. A failed step exits with code 1 and one line, any other error with its stack.
 *
 * @param {() => Promise<void>} main
 */
export async function script(main) {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof StepFailed ? error.message : error)
    process.exit(1)
  }
}

/**
 * @param {string} title
 * @param {() => Promise<void>} work
 */
async function step(title, work) {
  const started = Date.now()
  console.log(`${title}…`)
  try {
    await work()
  } catch (error) {
    throw error instanceof StepFailed ? new StepFailed(`${title} failed: ${error.message}`) : error
  }
  console.log(`${title}: done in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/**
 * Whether node_modules matches the lock file. npm keeps its own record of what it installed, which lacks the packages
 * for other platforms.
 *
 * @param {string} lock
 */
function isInstalled(lock) {
  const record = join(root, "node_modules", ".package-lock.json")
  if (!existsSync(record)) return false
  const wanted = JSON.parse(lock).packages
  const there = JSON.parse(readFileSync(record, "utf8")).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/") || entry.optional) return true
    const found = there[path]
    return found !== undefined && found.version === entry.version && found.integrity === entry.integrity
  })
}

/**
 * Names, sizes and times of a package's sources; for the empty name, those of the shared configuration files.
 *
 * Every start does this for 1,700 files. Paths are put together as text, because `join` would take as long as the rest.
 *
 * @param {string} name
 */
function fingerprint(name) {
  if (name === "") return digest(["tsconfig.json", "tsconfig.base.json", "package-lock.json"].map((file) => mark(file)))
  const folder = `packages/${name}`
  const sources = ["src", "public"].flatMap((part) => list(`${folder}/${part}`))
  return digest([...CONFIG_FILES.map((file) => `${folder}/${file}`), ...sources].map((file) => mark(file)))
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function list(folder) {
  if (!existsSync(`${root}/${folder}`)) return []
  return readdirSync(`${root}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return list(path)
    return /\.test\.tsx?$/.test(entry.name) ? [] : [path]
  })
}

/** @param {string} file */
function mark(file) {
  const stat = statSync(`${root}/${file}`, { throwIfNoEntry: false })
  return stat ? `${file} ${stat.size} ${stat.mtimeMs}` : ""
}

/** @param {string[]} parts */
function digest(parts) {
  return createHash("sha256").update(parts.join("\n")).digest("hex")
}

/** @param {string} name */
function readStamp(name) {
  const file = join(cache, name)
  return existsSync(file) ? readFileSync(file, "utf8") : undefined
}

/**
 * @param {string} name
 * @param {string} stamp
 */
function writeStamp(name, stamp) {
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, name), stamp)
}
