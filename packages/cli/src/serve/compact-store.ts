/** `parlor compact-store`: drops what nobody needs anymore, now, and says what it freed (LOG-39). */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { sizeWords } from "@parlor/protocol"
import { compactStore } from "@parlor/store"
import { Complaint } from "../complaint.ts"
import type { Terminal } from "../terminal.ts"
import { databaseOf, dataFolderOf } from "./settings.ts"

const GRACE_MS = 60 * 60_000
/** Everything up to now, even if clocks differ a little. */
const NO_GRACE_MS = -60_000

type CompactOptions = { readonly terminal: Terminal; readonly now?: boolean }

export async function compact({ terminal, now = false }: CompactOptions): Promise<number> {
  const url = databaseOf(process.env.DATABASE_URL)
  const path = join(dataFolderOf(process.env), "parlor.db")
  if (url === undefined && !existsSync(path)) throw new Complaint(`There is no database at ${path}.`)
  const graceMs = now ? NO_GRACE_MS : GRACE_MS
  const { events, bytes, file } = await compactStore(url === undefined ? { path } : { url }, { graceMs })
  const dropped = `Dropped ${events} events (${sizeWords(bytes)}) that later ones have made useless.`
  const space =
    file === undefined
      ? "PostgreSQL reuses their space. To return it to the disk, run: VACUUM FULL parlor.events (it locks the table)."
      : `The file had ${sizeWords(file.before)} and has ${sizeWords(file.after)}: ${sizeWords(Math.max(0, file.before - file.after))} freed.`
  await terminal.report(`${dropped}\n${space}`, { events, bytes, file: file ?? null })
  return 0
}
