/**
 * The page's files: read once at start and served from memory. No path of a request ever reaches the disk, and a request
 * costs no descriptor (SEC-13).
 */
import { readdir, readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import type { Answer } from "../http/answer.ts"

/** The response for that path, or undefined if the page has no such file. `accepts` is the header `accept-encoding`. */
export type Page = (path: string, accepts?: string) => Answer | undefined

/** Precompressed variants of a file, best first. */
const ENCODINGS = [
  { name: "br", suffix: ".br" },
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
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

/**
 * Scripts, styles and fonts are subresources, and the document's policy applies to them; half a kilobyte on each of a
 * dozen files adds up. Anything else may be opened by itself. The page has no workers: a worker script would need the
 * policy too.
 */
const PARTS = /^(?:text\/javascript|text\/css|font\/)/
const DOCUMENT = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
}

/** Of all files together: several times the size of the build. A larger folder is not the page. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024

type File = { readonly type: string; readonly bytes: Uint8Array }

export async function openPage(folder: string): Promise<Page> {
  const files = await listFiles(folder)
  return (path, accepts = "") => {
    const name = path === "/" ? "/index.html" : path
    const file = files.get(name)
    if (file === undefined) return undefined
    const encoding = ENCODINGS.find((one) => files.has(name + one.suffix) && takes(accepts, one.name))
    const sent = (encoding && files.get(name + encoding.suffix)) ?? file
    const headers = {
      "content-type": file.type,
      ...(encoding ? { "content-encoding": encoding.name } : {}),
      vary: "accept-encoding",
      "content-length": String(sent.bytes.length),
      "cache-control": name.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      "x-content-type-options": "nosniff",
      ...(PARTS.test(file.type) ? {} : DOCUMENT),
    }
    return { status: 200, headers, body: sent.bytes }
  }
}

/** Whether a client with this header accepts this encoding. `q=0` means that it does not. */
function takes(accepts: string, encoding: string): boolean {
  return accepts.split(",").some((one) => {
    const [name, ...settings] = one.split(";").map((text) => text.trim().toLowerCase())
    return name === encoding && !settings.some((setting) => /^q=0(\.0*)?$/.test(setting))
  })
}

async function listFiles(folder: string): Promise<ReadonlyMap<string, File>> {
  const files = new Map<string, File>()
  let total = 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    total += bytes.length
    if (total > MAX_PAGE_BYTES) throw new Error(`${folder} has more than ${MAX_PAGE_BYTES} bytes: it is not the page.`)
    const name = `/${path.slice(folder.length + 1).replaceAll("\\", "/")}`
    files.set(name, { type: TYPES[extname(path)] ?? "application/octet-stream", bytes })
  }
  return files
}
