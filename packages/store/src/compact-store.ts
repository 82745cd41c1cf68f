/** Does at once what servers do in small slices over time: frees, counts, trims; with SQLite it rewrites the file (LOG-39). */
import { statSync } from "node:fs"
import type { Store } from "@parlor/core"
import { FolderLock } from "./folder-lock.ts"
import { openPostgres } from "./open-postgres.ts"
import { connectWriter } from "./sqlite/connect.ts"
import { openSqlite } from "./sqlite/open.ts"

type Compacted = {
  /** Events that were dropped from logs, and the bytes of their rows. */
  readonly events: number
  readonly bytes: number
  /** The size of the file, before and after; none with PostgreSQL, which returns space with VACUUM. */
  readonly file?: { readonly before: number; readonly after: number }
}

type StorePlace = { readonly path: string } | { readonly url: string; readonly schema?: string }

const MAX_SLICES = 10_000_000

export async function compactStore(place: StorePlace, { graceMs }: { readonly graceMs: number }): Promise<Compacted> {
  if ("url" in place) {
    const store = await openPostgres({ ...place, owner: "compact-store" })
    return withStore(store, graceMs)
  }
  const before = statSync(place.path).size
  const dropped = await withStore(await openSqlite(place), graceMs)
  rewrite(place.path)
  return { ...dropped, file: { before, after: statSync(place.path).size } }
}

async function withStore(store: Store, graceMs: number): Promise<Pick<Compacted, "events" | "bytes">> {
  let [events, bytes] = [0, 0]
  try {
    for (let n = 0; n < MAX_SLICES && (await store.log.freeSlice()); n++);
    for (let n = 0; n < MAX_SLICES && (await store.upkeep()); n++);
    for (let n = 0; n < MAX_SLICES; n++) {
      const slice = await store.log.trim({ graceMs })
      events += slice.events
      bytes += slice.bytes
      if (!slice.more) break
    }
  } finally {
    await store.close()
  }
  return { events, bytes }
}

/** Pages are filled again, and the rest is returned to the disk. */
function rewrite(path: string): void {
  const lock = new FolderLock(path)
  try {
    const db = connectWriter(path)
    db.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
  } finally {
    lock.release()
  }
}
