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
import { Watch } from "./notify/watch.ts"
import { read } from "./rows.ts"
import { search } from "./search.ts"
import { secretKey, setSecretKey } from "./secret-key.ts"
import { stored, upkeep } from "./stored.ts"
import { ensure, find, remove } from "./streams.ts"
import * as trigger from "./triggers.ts"

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
    log: {
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
      orphans: (limit) => orphans(db, limit),
      streamsOf: (person, limit) => streamsOf(db, person, limit),
    },
    keys: {
      of: (person) => keys(db, person),
      find: (hash) => findKey(db, hash),
      findAll: (hashes) => findKeys(db, hashes),
      add: (key, audit) => addKey(db, key, audit),
      revoke: (person, id, audit) => revokeKey(db, person, id, audit),
    },
    links: {
      list: (of, page) => links(db, of, page),
      named: (names) => linksOf(db, names),
      link: (record, options, audit) => link(db, record, options, audit),
      unlink: (record, audit) => unlink(db, record, audit),
    },
    memories: {
      index: (person) => memoryIndex(db, person),
      get: (person, scope, name) => memory(db, person, scope, name),
      all: (person, wanted) => memories(db, person, wanted),
      put: (person, entry, most) => putMemory(db, person, entry, most),
      delete: (person, scope, name) => deleteMemory(db, person, scope, name),
    },
    blobs: {
      keep: (stream, hash, bytes) => keepBlob(db, { stream }, hash, bytes),
      get: (hash) => blob(db, hash),
      attach: (person, file, bytes) => keepBlob(db, { person, attachment: file }, file.hash, bytes),
      attachment: (person, hash) => attachment(db, person, hash),
      attachedBytes: (person) => attachedBytes(db, person),
      attachments: (person, page) => attachments(db, person, page),
      detach: (person, hash) => detach(db, person, hash),
    },
    triggers: {
      of: (person, kinds) => trigger.triggers(db, person, kinds),
      on: (stream, kind) => trigger.triggersOn(db, stream, kind),
      byId: (kinds, page) => trigger.triggersById(db, kinds, page),
      get: (id) => trigger.trigger(db, id),
      add: (record, bounds, audit) => trigger.addTrigger(db, record, bounds, audit),
      change: (record, firings) => trigger.changeTrigger(db, record, firings),
      delete: (id, audit) => trigger.deleteTrigger(db, id, audit),
      due: (kinds, now, page) => trigger.dueTriggers(db, kinds, now, page),
      nextLook: (kinds) => trigger.nextLook(db, kinds),
      firings: (wanted, most) => trigger.firings(db, wanted, most),
      putFiring: (firing) => trigger.putFiring(db, firing),
      countSent: (stream, kind, since) => trigger.countSent(db, stream, kind, since),
    },
    search: {
      find: (person, words, wanted) => search(db, person, words, wanted),
    },
    usage: {
      dayTotal: (person, day) => dayTotal(db, person, day),
      spending: (person, page) => spending(db, person, page),
      stored: (person) => stored(db, person),
    },
    deletions: {
      begin: (person, audit) => beginDeletion(db, person, audit),
      all: () => deletions(db),
      slice: (person) => deleteSlice(db, person),
      end: (lingerMs) => endDeletions(db, lingerMs),
    },
    probe: () => probe(db),
    now: () => now(db),
    secretKey: () => secretKey(db),
    setSecretKey: (id, before) => setSecretKey(db, id, before),
    upkeep: () => upkeep(db),
    watch: (watched, changed, offered) => watch.add(watched, changed, offered),
    offer: (stream) => watch.offer(stream),
    close: async () => {
      await watch.close()
      await db.close()
    },
  }
}
