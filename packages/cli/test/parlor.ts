/** The built command as processes: a server with the demo model in its own folder, and commands run against it. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Parlor } from "@parlor/client"
import { bundledBin } from "../../../test/support/bundle.ts"

export const BIN = fileURLToPath(new URL("../dist/bin.js", import.meta.url))
const QUICK_BIN = await bundledBin()
const TOKEN = "a-token-for-the-tests-of-the-command-0123456789"
const READY_MS = 30_000

type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

export type TestParlor = {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly sdk: Parlor
  /** What the server has logged so far. */
  logged(): string
  /** Runs `parlor …` to its end, with extra environment variables. */
  run(args: readonly string[], input?: string, more?: Readonly<Record<string, string>>): Promise<Ran>
  close(): Promise<void>
}

export async function startParlor(settings: Readonly<Record<string, string>> = {}): Promise<TestParlor> {
  const folder = mkdtempSync(join(tmpdir(), "parlor-cli-"))
  const base = { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8", PARLOR_TOKEN: TOKEN }
  const serving = {
    ...base,
    PARLOR_DATA: folder,
    PARLOR_PORT: "0",
    PARLOR_TITLES: "off",
    PARLOR_MODEL: "demo",
    PARLOR_LOG: "error",
    PARLOR_DRAIN_MS: "0",
    ...settings,
  }
  // Projects with code of their own use the shipped command.
  const bin = settings.PARLOR_CONFIG === undefined ? QUICK_BIN : BIN
  const server = spawn(process.execPath, [bin, "serve"], { env: serving, stdio: ["ignore", "pipe", "pipe"] })
  let said = ""
  server.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString()
  })
  const url = await readyUrl(server)
  const env = { ...base, PARLOR_URL: url }
  return {
    folder,
    env,
    sdk: new Parlor({ baseUrl: url, token: TOKEN }),
    logged: () => said,
    run: (args, input = "", more = {}) => run(bin, args, input, { ...env, ...more }),
    async close() {
      const ended = new Promise((resolve) => server.once("exit", resolve))
      server.kill("SIGTERM")
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Polls until the condition holds. */
export async function until<T>(look: () => Promise<T> | T, isSo: (seen: T) => boolean, ms = 30_000): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (Date.now() > end) throw new Error(`timed out after ${ms} ms; last seen: ${String(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function run(bin: string, args: readonly string[], input: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { env, stdio: ["pipe", "pipe", "pipe"] })
    let out = ""
    let err = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text
    })
    child.on("error", reject).on("close", (code) => resolve({ code, out, err }))
    child.stdin.on("error", () => undefined).end(input)
  })
}

function readyUrl(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ""
    const take = (chunk: Buffer): void => {
      said += chunk.toString()
      const url = /Parlor is ready: (http:\/\/[^/\s]+)/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    }
    server.stdout?.on("data", take)
    server.stderr?.on("data", take)
    server.once("exit", () => reject(new Error(`the server ended before it was ready:\n${said}`)))
    setTimeout(() => reject(new Error(`the server is not ready:\n${said}`)), READY_MS).unref()
  })
}
