/** The servers used by the tests: three from npm, and our own, which change or exit on demand. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ServerConfig } from "../src/index.ts"

const require = createRequire(import.meta.url)
const script = (name: string) =>
  join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), "dist/index.js")
const node = process.execPath

export const everything: ServerConfig = { command: node, args: [script("server-everything"), "stdio"] }

export function filesystem(folder: string): ServerConfig {
  return { command: node, args: [script("server-filesystem"), folder] }
}

export function memory(file: string): ServerConfig {
  return { command: node, args: [script("server-memory")], env: { MEMORY_FILE_PATH: file } }
}

/** `file`: a JSON file with the definition of the tool `greet`. */
export function fickle(file: string): ServerConfig {
  return { command: node, args: [fileURLToPath(new URL("fickle-server.mjs", import.meta.url)), file] }
}

/** Supports only 2026-07-28. */
const modernScript = fileURLToPath(new URL("modern-server.mjs", import.meta.url))
export const modern: ServerConfig = { command: node, args: [modernScript] }

export async function startModern(): Promise<RunningServer> {
  const port = await freePort()
  const env = { PATH: process.env.PATH ?? "" }
  const child = spawn(node, [modernScript, "http", String(port)], { env, stdio: ["ignore", "ignore", "pipe"] })
  for await (const chunk of child.stderr) if (String(chunk).includes("listening")) break
  return { url: `http://127.0.0.1:${port}/mcp`, child }
}

export type RunningServer = { readonly url: string; readonly child: ChildProcess }

/** server-everything over streamable HTTP. It listens on all addresses; only loopback is used. */
export async function startEverything(port?: number): Promise<RunningServer & { readonly port: number }> {
  const at = port ?? (await freePort())
  const child = spawn(node, [script("server-everything"), "streamableHttp"], {
    env: { PATH: process.env.PATH ?? "", PORT: String(at) },
    stdio: ["ignore", "ignore", "pipe"],
  })
  for await (const chunk of child.stderr) if (String(chunk).includes("listening")) break
  return { url: `http://127.0.0.1:${at}/mcp`, child, port: at }
}

export async function endServer({ child }: RunningServer): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGKILL")
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  server.close()
  await once(server, "close")
  return port
}
