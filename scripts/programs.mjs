/**
 * Programs that a few tests need: from the machine, or from Debian's package, unpacked into the cache. Nothing is installed
 * on the machine, so no service starts.
 */
import { spawnSync } from "node:child_process"
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { cache } from "./setup.mjs"

const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"]
const DOWNLOAD_LIMIT_MS = 120_000

/**
 * The path of a program, or the reason why there is none.
 *
 * @param {string} name also the name of its package
 * @returns {{ path: string } | { missing: string }}
 */
export function findProgram(name) {
  const places = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...FOLDERS]
  const unpacked = join(cache, "programs", name)
  const all = [...places, ...FOLDERS.map((folder) => join(unpacked, folder))].map((folder) => join(folder, name))
  const found = all.find(isProgram)
  if (found !== undefined) return { path: found }
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0)
    return { missing: `${name} is not installed, and packages can be downloaded only on Debian, as root` }
  mkdirSync(unpacked, { recursive: true })
  for (const args of [
    ["update", "-qq"],
    ["download", "-qq", name],
  ]) {
    const run = spawnSync("apt-get", args, { cwd: unpacked, encoding: "utf8", timeout: DOWNLOAD_LIMIT_MS })
    if (run.status !== 0) return { missing: `${name} cannot be downloaded: ${run.stderr?.trim().split("\n").at(-1)}` }
  }
  for (const file of readdirSync(unpacked).filter((one) => one.endsWith(".deb")))
    spawnSync("dpkg", ["-x", file, "."], { cwd: unpacked })
  const path = all.find(isProgram)
  return path === undefined ? { missing: `the package ${name} contains no program ${name}` } : { path }
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const name of process.argv.slice(2)) console.log(name, findProgram(name))
