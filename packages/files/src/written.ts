/**
 * Records what was written where, in one file of lines per folder, so that a copy that lags behind the store can be
 * distinguished from one edited by hand, even after a crash.
 *
 *   ["w", path, hash]   about to be written; null: about to be removed
 *   ["d", path]         done
 *
 * Between the two, the previous content counts as written too. A truncated line is ignored. Lines are not synced one by
 * one: if a line is lost, the file looks edited by hand, and such files are never lost.
 */
import { createHash, randomBytes } from "node:crypto"
import { constants } from "node:fs"
import { type FileHandle, open, readFile, rename, unlink } from "node:fs/promises"
import type { Folder } from "@parlor/core"
import { codeOf } from "./code.ts"
import { type Dir, unless } from "./dir.ts"

const KNOWN_FOLDERS = 500
/** Beyond four lines per file the file is compacted. */
const SPARE_LINES = 1_000
const MAX_BYTES = 64 * 1024 * 1024
const APPEND =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)

type Known = { readonly files: Map<string, readonly (string | null)[]>; lines: number }

export class Written {
  readonly #known = new Map<string, Known>()

  async hashes(place: Dir, folder: Folder, path: string): Promise<readonly string[]> {
    const known = await this.#load(place, folder)
    return (known.files.get(path) ?? []).filter((hash) => hash !== null)
  }

  async begin(place: Dir, folder: Folder, path: string, hash: string | null): Promise<void> {
    const known = await this.#load(place, folder)
    await this.#append(place, folder, known, ["w", path, hash])
  }

  async end(place: Dir, folder: Folder, path: string): Promise<void> {
    const known = await this.#load(place, folder)
    await this.#append(place, folder, known, ["d", path])
  }

  async forget(place: Dir, folder: Folder): Promise<void> {
    this.#known.delete(nameOf(folder))
    await unlink(place.at(nameOf(folder))).catch(unless("ENOENT"))
  }

  async #load(place: Dir, folder: Folder): Promise<Known> {
    const name = nameOf(folder)
    const loaded = this.#known.get(name)
    if (loaded !== undefined) return loaded
    const known: Known = { files: new Map(), lines: 0 }
    const text = await textAt(place, name)
    for (const line of text.split("\n")) take(known, line)
    // A truncated line would corrupt the next one too: the file is rewritten with it.
    if (text !== "" && !text.endsWith("\n")) known.lines = Number.POSITIVE_INFINITY
    const [oldest] = this.#known.keys()
    if (this.#known.size >= KNOWN_FOLDERS && oldest !== undefined) this.#known.delete(oldest)
    // A concurrent call was faster; its record includes what was added since.
    const first = this.#known.get(name) ?? known
    this.#known.set(name, first)
    return first
  }

  async #append(place: Dir, folder: Folder, known: Known, line: Line): Promise<void> {
    apply(known, line)
    const name = nameOf(folder)
    if (known.lines > known.files.size * 4 + SPARE_LINES) return rewrite(place, name, known)
    const handle = await open(place.at(name), APPEND, 0o600)
    const isPlain = await appended(handle, `${JSON.stringify(line)}\n`)
    if (!isPlain) await rewrite(place, name, known)
  }
}

type Line = readonly ["w", string, string | null] | readonly ["d", string]

/** False, and nothing written, if it is not a plain file: somebody has replaced it. */
async function appended(handle: FileHandle, line: string): Promise<boolean> {
  try {
    const stat = await handle.stat()
    if (!stat.isFile() || stat.nlink > 1) return false
    await handle.writeFile(line)
    return true
  } finally {
    await handle.close()
  }
}

async function rewrite(place: Dir, name: string, known: Known): Promise<void> {
  const part = `${name}.${randomBytes(6).toString("hex")}`
  const lines: Line[] = []
  for (const [path, hashes] of known.files) for (const hash of hashes) lines.push(["w", path, hash])
  const handle = await open(place.at(part), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    await handle.writeFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  } finally {
    await handle.close()
  }
  await rename(place.at(part), place.at(name))
  known.lines = lines.length
}

async function textAt(place: Dir, name: string): Promise<string> {
  try {
    const text = await readFile(place.at(name), {
      encoding: "utf8",
      flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0),
    })
    return text.length > MAX_BYTES ? "" : text
  } catch (error) {
    if (["ENOENT", "ELOOP", "EISDIR"].includes(codeOf(error))) return ""
    throw error
  }
}

function take(known: Known, text: string): void {
  if (text === "") return
  try {
    apply(known, JSON.parse(text) as Line)
  } catch {
    // Truncated by a crash.
  }
}

function apply(known: Known, [kind, path, hash = null]: Line): void {
  known.lines += 1
  const before = known.files.get(path) ?? []
  if (kind === "w") known.files.set(path, [...before.filter((one) => one !== hash), hash])
  else {
    const last = before.at(-1) ?? null
    if (last === null) known.files.delete(path)
    else known.files.set(path, [last])
  }
}

function nameOf({ person, agent, branch, life }: Folder): string {
  return createHash("sha256")
    .update(JSON.stringify([person, agent, branch, life]))
    .digest("hex")
}
