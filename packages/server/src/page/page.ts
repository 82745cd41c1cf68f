/**
 * The page's files: read once at start and served from memory. No path of a request ever reaches the disk, and a request
 * costs no descriptor (SEC-13).
 *
 * If the build compressed a file, only its compressed variants are read, which together are half its size. Browsers ask
 * for nothing else; for the first client that accepts no compression, the file is decompressed.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"
import type { Answer } from "../http/answer.ts"
import { isDiagramScript } from "../http/diagram-scripts.ts"

/** The response for that path, or undefined if the page has no such file. `accepts` is the header `accept-encoding`. */
export type Page = (path: string, accepts?: string) => Promise<Answer | undefined>

/** Addresses that the page may connect to besides its own server: the issuer that signs people in (SEC-39). */
type Connects = () => Promise<readonly string[]>

/** Precompressed variants of a file, best first. */
const BROTLI = ".br"
const ENCODINGS = [
  { name: "br", suffix: BROTLI },
  { name: "gzip", suffix: ".gz" },
] as const

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
}

const policy = (connects: readonly string[]) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...connects].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")

/** The frame of a diagram (MSG-18): no origin of its own, and no requests but for the scripts that draw it. */
const DIAGRAM = "/diagram.html"
const DIAGRAM_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-scripts",
].join("; ")

/**
 * Scripts, styles and fonts are subresources, and the document's policy applies to them; half a kilobyte on each of a
 * dozen files adds up. Anything else may be opened by itself. A worker has its own policy, from its script.
 */
const PARTS = /^(?:text\/javascript|text\/css|font\/)/
const WORKER = "/sw.js"
const DOCUMENT = {
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  // Nothing here is for search engines, shared conversations least of all (SHR-8).
  "x-robots-tag": "noindex, nofollow",
}

/** Paths without the name of a file. */
const NAMES: Readonly<Record<string, string>> = { "/": "/index.html", "/shared": "/shared.html" }

/** Of all files together: several times the size of the build. A larger folder is not the page. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024

type File = {
  readonly type: string
  /** Undefined for a compressed file, until somebody asks for it uncompressed. */
  bytes: Uint8Array | Promise<Uint8Array> | undefined
}

export function openPage(folder: string, connects: Connects = async () => []): Page {
  const files = readFiles(folder)
  return async (path, accepts = "") => {
    const name = NAMES[path] ?? path
    const file = files.get(name)
    if (file === undefined) return undefined
    const encoding = ENCODINGS.find((one) => files.has(name + one.suffix) && takes(accepts, one.name))
    const sent = (encoding && files.get(name + encoding.suffix)) ?? file
    sent.bytes ??= decompressed(files.get(name + BROTLI)).catch((error: unknown) => {
      sent.bytes = undefined
      throw error
    })
    const body = await sent.bytes
    const headers = {
      "content-type": file.type,
      ...(encoding ? { "content-encoding": encoding.name } : {}),
      vary: "accept-encoding",
      "cache-control": name.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      "x-content-type-options": "nosniff",
      ...(PARTS.test(file.type) && name !== WORKER
        ? {}
        : { "content-security-policy": policy(await connects()), ...DOCUMENT }),
      ...(name === DIAGRAM ? { "content-security-policy": DIAGRAM_POLICY } : {}),
      ...(isDiagramScript(name) ? { "cross-origin-resource-policy": "cross-origin" } : {}),
    }
    return { status: 200, headers, body }
  }
}

/** Whether a client with this header accepts this encoding. `q=0` means that it does not. */
function takes(accepts: string, encoding: string): boolean {
  return accepts.split(",").some((one) => {
    const [name, ...settings] = one.split(";").map((text) => text.trim().toLowerCase())
    return name === encoding && !settings.some((setting) => /^q=0(\.0*)?$/.test(setting))
  })
}

const decompress = promisify(brotliDecompress)

async function decompressed(file: File | undefined): Promise<Uint8Array> {
  return decompress((await file?.bytes) ?? new Uint8Array())
}

/** Reads synchronously: nothing else runs at the start, and asynchronous reads of so many small files take far more CPU. */
function readFiles(folder: string): ReadonlyMap<string, File> {
  const paths = new Set(listFiles(folder))
  const files = new Map<string, File>()
  let total = 0
  for (const path of paths) {
    const bytes = paths.has(path + BROTLI) ? undefined : readFileSync(path)
    total += bytes?.length ?? 0
    if (total > MAX_PAGE_BYTES) throw new Error(`${folder} has more than ${MAX_PAGE_BYTES} bytes: it is not the page.`)
    const name = `/${path.slice(folder.length + 1).replaceAll("\\", "/")}`
    files.set(name, { type: TYPES[extname(path)] ?? "application/octet-stream", bytes })
  }
  return files
}

/** Empty if there is no such folder: a server may run without the page. */
function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
