/** The writing side of each part, on the writer thread. All of them share one connection. */
import { Appends } from "../append.ts"
import { BlobWrites } from "../blobs.ts"
import { Chores } from "../chores.ts"
import type { Database } from "../connect.ts"
import { DeletionWrites } from "../deletions.ts"
import { ImportWrites } from "../imports.ts"
import { KeyWrites } from "../keys.ts"
import { LeaseWrites } from "../leases.ts"
import { LinkWrites } from "../links.ts"
import { MemoryWrites } from "../memories.ts"
import { SearchWrites } from "../search-index.ts"
import { SecretKeyWrites } from "../secret-key.ts"
import { Counting, StoredWrites } from "../stored.ts"
import { StreamWrites } from "../streams.ts"
import { type KeptFirings, TriggerWrites } from "../triggers.ts"
import { LogWrites } from "./log-writes.ts"

export type WriteParts = {
  readonly log: LogWrites
  readonly keys: KeyWrites
  readonly links: LinkWrites
  readonly memories: MemoryWrites
  readonly blobs: BlobWrites
  readonly triggers: TriggerWrites
  readonly deletions: DeletionWrites
  readonly secretKey: SecretKeyWrites
  readonly chores: Chores
}

export function createWriteParts(db: Database, kept: KeptFirings): WriteParts {
  const search = new SearchWrites(db)
  const stored = new StoredWrites(db)
  const blobs = new BlobWrites(db)
  const memories = new MemoryWrites(db, search)
  const triggers = new TriggerWrites(db, kept)
  const appends = new Appends(db, search, stored)
  const streams = new StreamWrites(db, appends, { search, blobs, triggers })
  const imports = new ImportWrites(db, { appends, streams, search, blobs })
  return {
    log: new LogWrites({ appends, streams, imports, leases: new LeaseWrites(db) }),
    keys: new KeyWrites(db),
    links: new LinkWrites(db, { streams, blobs }),
    memories,
    blobs,
    triggers,
    deletions: new DeletionWrites(db, { blobs, memories }),
    secretKey: new SecretKeyWrites(db),
    chores: new Chores(db, new Counting(db, stored)),
  }
}
