/**
 * Other versions of Node for the tests, taken from npm when they are first needed. They are not dependencies, because
 * each has 150 MB.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { cache, script } from "./setup.mjs"

/** The supported majors that `npm test` runs besides the machine's own Node. */
export const OTHER_NODES = ["22", "24", "26"]
const INSTALL_LIMIT_MS = 180_000

/**
 * The program of that version, or the reason why there is none.
 *
 * @param {string} version a major, or an exact version
 * @returns {Promise<{ path: string } | { missing: string }>}
 */
export async function otherNode(version) {
  const platform = process.platform === "win32" ? "win" : process.platform
  const name = `node-${platform}-${process.arch}`
  const folder = join(cache, "node", version)
  const path = join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node")
  if (existsSync(path)) return { path }
  // Another process may be installing the same version.
  const making = `${folder}.${process.pid}`
  await mkdir(making, { recursive: true })
  try {
    const failed = await npmInstall(making, `${name}@${version}`)
    if (failed !== undefined) return { missing: `Node ${version} cannot be installed from npm: ${failed}` }
    await rename(making, folder).catch((error) => {
      if (!existsSync(path)) throw error
    })
    return existsSync(path) ? { path } : { missing: `${name}@${version} contains no program` }
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

/**
 * @param {string} folder
 * @param {string} spec
 * @returns {Promise<string | undefined>} the reason of a failure
 */
function npmInstall(folder, spec) {
  const args = ["install", "--prefix", folder, "--prefer-offline", "--ignore-scripts", "--loglevel=error", spec]
  const child = spawn("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"], timeout: INSTALL_LIMIT_MS })
  let said = ""
  child.stderr.on("data", (chunk) => {
    said += chunk
  })
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message))
    child.on("close", (code) =>
      resolve(code === 0 ? undefined : said.trim().split("\n")[0] || `npm exited with ${code}`),
    )
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await script(async () => {
    for (const version of process.argv.slice(2)) console.log(version, await otherNode(version))
  })
}
