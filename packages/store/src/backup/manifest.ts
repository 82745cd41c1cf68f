/** `backup.json`: what a backup contains, so that a restore can check it. */
import { createHash } from "node:crypto"
import { createReadStream, readFileSync } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { OperatorError } from "../operator-error.ts"

export const MANIFEST = "backup.json"
export const DATABASE = "parlor.db"
export const SPOOL = "spool.jsonl"
/** Small files that the database does not contain. */
export const OTHERS = ["mcp-pins.json", "mcp-allowed.json"] as const
/** Copied only on request. */
export const KEYS = ["token", "secret-key"] as const
const FORMAT = 1

export type BackedUpFile = { readonly name: string; readonly bytes: number; readonly sha256: string }

export type Manifest = {
  readonly format: number
  readonly parlor: string
  readonly schema: number
  readonly createdAt: string
  readonly files: readonly BackedUpFile[]
}

export function manifestOf(parts: Omit<Manifest, "format">): string {
  return `${JSON.stringify({ format: FORMAT, ...parts }, null, 2)}\n`
}

export function readManifest(folder: string): Manifest {
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), "utf8")
  } catch {
    throw new OperatorError(`${folder} is not a complete backup: it has no ${MANIFEST}.`)
  }
  const manifest = parsed(text)
  if (manifest === undefined) throw new OperatorError(`${join(folder, MANIFEST)} is damaged.`)
  if (manifest.format !== FORMAT)
    throw new OperatorError(`${folder} was made by another version of Parlor (format ${manifest.format}).`)
  return manifest
}

function parsed(text: string): Manifest | undefined {
  try {
    const { format, parlor, schema, createdAt, files } = JSON.parse(text) as Manifest
    const known: ReadonlySet<string> = new Set([DATABASE, SPOOL, ...OTHERS, ...KEYS])
    const isGood =
      Array.isArray(files) &&
      files.every(({ name, bytes, sha256 }) => known.has(name) && bytes >= 0 && typeof sha256 === "string") &&
      files.some(({ name }) => name === DATABASE)
    return isGood && typeof schema === "number" ? { format, parlor, schema, createdAt, files } : undefined
  } catch {
    return undefined
  }
}

export async function describeFile(folder: string, name: string): Promise<BackedUpFile> {
  const path = join(folder, name)
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return { name, bytes: (await stat(path)).size, sha256: hash.digest("hex") }
}
