/** Agents from npm, each installed once into a cache: they are too large for the lock file. */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const OPENCODE = "1.18.33"
const GEMINI = "0.61.0"
const INSTALL_MS = 5 * 60_000

const root = fileURLToPath(new URL("../..", import.meta.url))
const cache = join(root, "node_modules", ".cache", "parlor")

/** The path of the program (350 MB). Undefined on a machine for which npm has no build of it. */
export async function openCode(): Promise<string | undefined> {
  const cpu = process.arch === "arm64" ? "arm64" : "x64-baseline"
  const system = ({ linux: "linux", darwin: "darwin" } as Record<string, string | undefined>)[process.platform]
  if (system === undefined) return undefined
  // Only the build for this machine: the package itself downloads several.
  return installed(`opencode-${system}-${cpu}`, OPENCODE, ["bin", "opencode"])
}

/** The path of its script (96 MB), to run with Node. */
export function geminiCli(): Promise<string> {
  return installed("@google/gemini-cli", GEMINI, ["bundle", "gemini.js"])
}

async function installed(name: string, version: string, program: readonly string[]): Promise<string> {
  const folder = join(cache, `${name.replaceAll("/", "-")}-${version}`)
  const inside = join("node_modules", name, ...program)
  if (existsSync(join(folder, inside))) return join(folder, inside)
  mkdirSync(dirname(folder), { recursive: true })
  const fresh = mkdtempSync(`${folder}-`)
  try {
    writeFileSync(join(fresh, "package.json"), JSON.stringify({ private: true }))
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional", `${name}@${version}`]
    await promisify(execFile)("npm", args, { cwd: fresh, timeout: INSTALL_MS })
    // Another test process may have been faster.
    if (!existsSync(folder)) renameSync(fresh, folder)
    return join(folder, inside)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
