/** The server as built, in a process of its own and a folder that is deleted with it, for attacks that bring their own. */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { targetOf } from "./target.mjs"

const BIN = fileURLToPath(new URL("../../packages/cli/dist/bin.js", import.meta.url))
const TOKEN = "a-token-for-attacks-0123456789-0123456789"
const READY_MS = 60_000
const STOP_MS = 20_000

/**
 * @param {{ bin?: string, env?: Record<string, string>, descriptors?: number }} [options]
 *   `descriptors` is how many files and connections the process may have open.
 */
export async function startServer(options = {}) {
  const bin = options.bin ?? BIN
  if (!existsSync(bin)) throw new Error("Build first: npm run build")
  const folder = mkdtempSync(join(tmpdir(), "parlor-attack-"))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    PARLOR_PORT: "0",
    PARLOR_DATA: join(folder, "data"),
    PARLOR_TOKEN: TOKEN,
    PARLOR_TITLES: "off",
    PARLOR_MODEL: "demo",
    PARLOR_DRAIN_MS: "0",
    ...options.env,
  }
  const [command, args] =
    options.descriptors === undefined
      ? [process.execPath, [bin, "serve"]]
      : ["/bin/sh", ["-c", `ulimit -n ${options.descriptors}; exec "$0" "$@"`, process.execPath, bin, "serve"]]
  const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = (output + chunk.toString()).slice(-64 * 1024)
    })
  const ended = new Promise((/** @type {(value: number | string) => void} */ done) => {
    child.once("exit", (code, signal) => done(code ?? signal ?? "unknown"))
  })
  const url = await new Promise((/** @type {(value: string) => void} */ resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in ${READY_MS} ms:\n${output}`)), READY_MS)
    child.stdout.on("data", () => {
      const found = /(http:\/\/[^/\s]+)/.exec(output)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    })
    ended.then((how) => reject(new Error(`the server ended (${how}):\n${output}`)))
  })
  return {
    target: targetOf(url, TOKEN, { pid: child.pid }),
    ended,
    output: () => output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill("SIGTERM")
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS)
      await ended
      clearTimeout(timer)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
