/** Records what `memory export` wrote into a folder, so that `--prune` removes only that (MEM-7). */
import { createHash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

const RECORD_FILE = ".parlor-export.json"

/** Content hashes by path: `user/tea.md`. */
export type ExportRecord = Readonly<Record<string, string>>

export async function readRecord(folder: string): Promise<ExportRecord> {
  try {
    const { files } = JSON.parse(await readFile(join(folder, RECORD_FILE), "utf8")) as { files?: unknown }
    if (typeof files !== "object" || files === null) return {}
    const entries = Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    return Object.fromEntries(entries)
  } catch {
    // Missing or unreadable: then no file is known to be ours.
    return {}
  }
}

export async function writeRecord(folder: string, record: ExportRecord): Promise<void> {
  const files = Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
  await writeFile(join(folder, RECORD_FILE), `${JSON.stringify({ files }, undefined, 2)}\n`)
}

export function hashOf(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex")
}
