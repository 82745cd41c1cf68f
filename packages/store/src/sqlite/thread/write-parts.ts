/** The writing side of each part, on the writer thread. All of them share one connection. */
import { Appends } from "../append.ts"
import { BlobWrites } from "../blobs.ts"
import type { Database } from "../connect.ts"
import { DeletionWrites } from "../deletions.ts"
import { KeyWrites, SecretKeyWrites } from "../keys.ts"
import { LinkWrites } from "../links.ts"
import { MemoryWrites } from "../memories.ts"
import { PreferenceWrites } from "../preferences.ts"
import { ProviderWrites } from "../providers.ts"
import { PushWrites } from "../pushes.ts"
import { SearchWrites } from "../search.ts"
import { ShareWrites } from "../shares.ts"
import { StreamWrites } from "../streams.ts"
import { type KeptFirings, TriggerWrites } from "../triggers.ts"
import { Trims } from "../trim.ts"
import { Chores, Counting, StoredWrites } from "../usage.ts"
import { LogWrites } from "./log-writes.ts"

export type WriteParts = {
  readonly log: LogWrites
  readonly keys: KeyWrites
  readonly links: LinkWrites
  readonly shares: ShareWrites
  readonly memories: MemoryWrites
  readonly blobs: BlobWrites
  readonly triggers: TriggerWrites
  readonly deletions: DeletionWrites
  readonly providers: ProviderWrites
  readonly preferences: PreferenceWrites
  readonly pushes: PushWrites
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
  return {
    log: new LogWrites(appends, streams, new Trims(db, stored)),
    keys: new KeyWrites(db),
    links: new LinkWrites(db, { streams, blobs }),
    shares: new ShareWrites(db),
    memories,
    blobs,
    triggers,
    deletions: new DeletionWrites(db, { blobs, memories }),
    providers: new ProviderWrites(db),
    preferences: new PreferenceWrites(db),
    pushes: new PushWrites(db),
    secretKey: new SecretKeyWrites(db),
    chores: new Chores(db, new Counting(db, stored)),
  }
}
