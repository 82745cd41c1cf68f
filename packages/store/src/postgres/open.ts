/** PostgreSQL behind the port: shared by any number of nodes. The database is the record, the lock and the clock. */
import type { Store } from "@parlor/core"
import { commit } from "./append.ts"
import { attachedBytes, attachment, attachments, blob, detach, keepBlob } from "./blobs.ts"
import { type ConnectOptions, Database } from "./connect.ts"
import { beginDeletion, deleteSlice, deletions, endDeletions, streamsOf } from "./deletions.ts"
import { events } from "./events.ts"
import { adopt, dropImports } from "./imports.ts"
import { addKey, findKey, findKeys, keys, revokeKey } from "./keys.ts"
import { now, orphans, renew, voidLeases } from "./leases.ts"
import { dayTotal, spending } from "./ledger.ts"
import { link, links, linksOf, unlink } from "./links.ts"
import { deleteMemory, memories, memory, memoryIndex, putMemory } from "./memories.ts"
import { migrate, probe } from "./migrations.ts"
import { read } from "./rows.ts"
import { search } from "./search.ts"
import { secretKey, setSecretKey } from "./secret-key.ts"
import { stored, upkeep } from "./stored.ts"
import { ensure, find, remove } from "./streams.ts"
import * as trigger from "./triggers.ts"
import { Watch } from "./watch.ts"

const DEFAULTS = { schema: "parlor", readers: 4, writers: 2, pollMs: 1_000 } as const
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
  return {
    find: (key) => find(db, key),
    ensure: (key) => ensure(db, key),
    commit: async (batch) => {
      const answers = await commit(db, batch)
      watch.committed(batch, answers)
      return answers
    },
    remove: async (stream, rest) => {
      const answer = await remove(db, stream, rest)
      if (answer === undefined || answer.ok) watch.removed(stream)
      if (answer !== undefined && rest.feed !== undefined) watch.committed([rest.feed], [answer])
      return answer
    },
    adopt: async (imported, adoption) => {
      const answer = await adopt(db, imported, adoption)
      if (answer.ok) watch.removed(adoption.over.id)
      watch.committed([adoption.append], [answer])
      return answer
    },
    dropImports: () => dropImports(db),
    read: (stream, queries) => read(db, stream, queries),
    events: (stream, after, bounds) => events(db, stream, after, bounds),
    renew: (owner, streams, ttlMs) => renew(db, owner, streams, ttlMs),
    probe: () => probe(db),
    now: () => now(db),
    orphans: (limit) => orphans(db, limit),
    keys: (person) => keys(db, person),
    findKey: (hash) => findKey(db, hash),
    findKeys: (hashes) => findKeys(db, hashes),
    addKey: (key, audit) => addKey(db, key, audit),
    revokeKey: (person, id, audit) => revokeKey(db, person, id, audit),
    links: (of, page) => links(db, of, page),
    linksOf: (names) => linksOf(db, names),
    link: (record, options, audit) => link(db, record, options, audit),
    unlink: (record, audit) => unlink(db, record, audit),
    memoryIndex: (person) => memoryIndex(db, person),
    memory: (person, scope, name) => memory(db, person, scope, name),
    memories: (person, wanted) => memories(db, person, wanted),
    putMemory: (person, entry, most) => putMemory(db, person, entry, most),
    deleteMemory: (person, scope, name) => deleteMemory(db, person, scope, name),
    keepBlob: (stream, hash, bytes) => keepBlob(db, { stream }, hash, bytes),
    blob: (hash) => blob(db, hash),
    attach: (person, file, bytes) => keepBlob(db, { person, attachment: file }, file.hash, bytes),
    attachment: (person, hash) => attachment(db, person, hash),
    attachedBytes: (person) => attachedBytes(db, person),
    attachments: (person, page) => attachments(db, person, page),
    detach: (person, hash) => detach(db, person, hash),
    search: (person, words, wanted) => search(db, person, words, wanted),
    triggers: (person, kinds) => trigger.triggers(db, person, kinds),
    triggersOn: (stream, kind) => trigger.triggersOn(db, stream, kind),
    triggersById: (kinds, page) => trigger.triggersById(db, kinds, page),
    trigger: (id) => trigger.trigger(db, id),
    addTrigger: (record, bounds, audit) => trigger.addTrigger(db, record, bounds, audit),
    changeTrigger: (record, firings) => trigger.changeTrigger(db, record, firings),
    deleteTrigger: (id, audit) => trigger.deleteTrigger(db, id, audit),
    dueTriggers: (kinds, now, page) => trigger.dueTriggers(db, kinds, now, page),
    nextLook: (kinds) => trigger.nextLook(db, kinds),
    firings: (wanted, most) => trigger.firings(db, wanted, most),
    putFiring: (firing) => trigger.putFiring(db, firing),
    countSent: (stream, kind, since) => trigger.countSent(db, stream, kind, since),
    dayTotal: (person, day) => dayTotal(db, person, day),
    spending: (person, page) => spending(db, person, page),
    secretKey: () => secretKey(db),
    setSecretKey: (id, before) => setSecretKey(db, id, before),
    stored: (person) => stored(db, person),
    upkeep: () => upkeep(db),
    beginDeletion: (person, audit) => beginDeletion(db, person, audit),
    deletions: () => deletions(db),
    streamsOf: (person, limit) => streamsOf(db, person, limit),
    deleteSlice: (person) => deleteSlice(db, person),
    endDeletions: (lingerMs) => endDeletions(db, lingerMs),
    watch: (watched, changed, offered) => watch.add(watched, changed, offered),
    offer: (stream) => watch.offer(stream),
    close: async () => {
      await watch.close()
      await db.close()
    },
  }
}
