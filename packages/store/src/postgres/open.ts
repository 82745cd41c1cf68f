/** PostgreSQL behind the port: shared by any number of nodes. The database is the record, the lock and the clock. */
import { randomUUID } from "node:crypto"
import type { Store } from "@parlor/core"
import { blobsPart } from "./blobs.ts"
import { type ConnectOptions, Database } from "./connect.ts"
import { deletionsPart } from "./deletions.ts"
import { keysPart, secretKeys } from "./keys.ts"
import { linksPart } from "./links.ts"
import { memoriesPart } from "./memories.ts"
import { migrate, probe } from "./migrations.ts"
import { Watch } from "./notify/watch.ts"
import { watchedLog } from "./notify/watched-log.ts"
import { preferencesPart } from "./preferences.ts"
import { providersPart } from "./providers.ts"
import { pushesPart } from "./pushes.ts"
import { searchPart } from "./search.ts"
import { sharesPart } from "./shares.ts"
import { logPart, now, voidLeases } from "./streams.ts"
import { triggersPart } from "./triggers.ts"
import { openStreams, shareRates, upkeep, usagePart } from "./usage.ts"

const DEFAULTS = { schema: "parlor", readers: 4, pipelines: 2, writers: 2, pollMs: 1_000 } as const
const SCHEMA_SHAPE = /^[a-z_][a-z0-9_]{0,62}$/

export type PostgresOptions = Pick<ConnectOptions, "url"> &
  Partial<ConnectOptions> & {
    /** The node that opens it: leases it held before are void. */
    readonly owner?: string
  }

export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const settings: ConnectOptions = { ...DEFAULTS, ...options }
  if (!SCHEMA_SHAPE.test(settings.schema)) throw new Error(`"${settings.schema}" cannot be a schema's name`)
  const db = new Database(settings)
  try {
    await db.transaction((client) => migrate(client, settings.schema))
    if (options.owner !== undefined) await voidLeases(db, options.owner)
  } catch (error) {
    await db.close()
    throw error
  }
  const watch = new Watch(db, settings)
  const node = options.owner ?? randomUUID()
  return {
    log: watchedLog(logPart(db), watch),
    keys: keysPart(db),
    links: linksPart(db),
    shares: sharesPart(db),
    memories: memoriesPart(db),
    blobs: blobsPart(db),
    triggers: triggersPart(db),
    search: searchPart(db),
    usage: usagePart(db),
    deletions: deletionsPart(db),
    providers: providersPart(db, watch),
    preferences: preferencesPart(db),
    pushes: pushesPart(db),
    ...secretKeys(db),
    probe: () => probe(db),
    now: () => now(db),
    upkeep: () => upkeep(db),
    watch: (watched, changed, offered) => watch.add(watched, changed, offered),
    offer: (stream) => watch.offer(stream),
    openStreams: (counts) => openStreams(db, node, counts),
    shareRates: (added) => shareRates(db, added),
    close: async () => {
      await watch.close()
      await db.close()
    },
  }
}
