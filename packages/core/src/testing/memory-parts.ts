/** The parts of the store in memory, except its log. Each works on the data that all nodes share. */
import type { StreamId } from "@parlor/protocol"
import type { Blobs } from "../ports/blobs.ts"
import type { Deletions } from "../ports/deletions.ts"
import type { Keys } from "../ports/keys.ts"
import type { Links } from "../ports/links.ts"
import type { Memories } from "../ports/memories.ts"
import type { PersonPreferences } from "../ports/preferences.ts"
import { PROVIDERS_CHANGED, type Providers } from "../ports/providers.ts"
import type { Pushes } from "../ports/pushes.ts"
import type { Shares } from "../ports/shares.ts"
import type { Append, AuditEntry } from "../ports/store.ts"
import type { Triggers } from "../ports/triggers.ts"
import type { UsageCounts } from "../ports/usage.ts"
import type { MemoryDatabase } from "./memory-database.ts"

/** The data, and the ways to it through one node's hooks. */
export type MemoryAccess = {
  readonly data: MemoryDatabase
  read<T>(work: () => T): Promise<T>
  write<T>(batch: readonly Append[], work: () => T): Promise<T>
  ring(stream: StreamId): void
}

export function memoryKeys({ data }: MemoryAccess): Keys {
  const all = () => [...data.keys.values()]
  return {
    of: async (person) => {
      const own = all().filter((key) => key.person === person)
      return own.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    },
    find: async (hash) => all().find((key) => key.hash === hash),
    findAll: async (hashes) => all().filter((key) => hashes.includes(key.hash)),
    add: async (key, audit) => data.addKey(key, audit),
    revoke: async (person, id, audit) => data.revokeKey(person, id, audit),
  }
}

export function memoryLinks({ data, read, write }: MemoryAccess): Links {
  return {
    list: (of, page) => read(() => data.links.of(of, page)),
    named: (names) => read(() => names.flatMap((name) => data.links.get(name) ?? [])),
    link: (record, options, audit) => write([], () => data.link(record, options, audit)),
    unlink: (record, audit) =>
      write([], () => {
        if (!data.links.delete(record)) return false
        data.audit.push(audit)
        return true
      }),
  }
}

export function memoryShares({ data, read, write }: MemoryAccess): Shares {
  const { shares } = data
  return {
    findAll: (ids) => read(() => ids.flatMap((id) => shares.get(id) ?? [])),
    of: (person) => read(() => shares.of(person)),
    sharedWith: (viewer, page) => read(() => shares.sharedWith(viewer, page)),
    add: (share, bounds, audit) =>
      write([], () => {
        if (data.get(share.stream) === undefined) return "gone"
        data.links.checkOwner(share.person)
        if (share.viewer !== null) {
          data.links.checkDeleting(share.viewer)
          if (!data.isKnown(share.viewer)) return "no-viewer"
        }
        const added = shares.add(share, bounds)
        if (added === "added") data.audit.push(audit)
        return added
      }),
    revoke: (person, id, audit) =>
      write([], () => {
        const revoked = shares.revoke(person, id, audit.at)
        if (revoked !== undefined) data.audit.push(audit)
        return revoked
      }),
  }
}

export function memoryMemories({ data, read, write }: MemoryAccess): Memories {
  return {
    index: (person) => read(() => data.memories.list(person).map(({ body: _, ...line }) => line)),
    get: (person, scope, name) => read(() => data.memories.get(person, scope, name)),
    all: (person, { pinned } = {}) =>
      read(() => data.memories.list(person).filter((memory) => memory.pinned || !pinned)),
    put: (person, memory, most) => write([], () => data.putMemory(person, memory, most)),
    delete: (person, scope, name) => write([], () => data.deleteMemory(person, scope, name)),
  }
}

export function memoryBlobs({ data, read, write }: MemoryAccess): Blobs {
  return {
    keep: (stream, hash, bytes) =>
      write([], () => {
        if (data.get(stream) !== undefined) data.blobs.keep(stream, hash, bytes)
      }),
    get: (hash) => read(() => data.blobs.get(hash)),
    attach: (person, attachment, bytes) =>
      write([], () => {
        data.links.checkOwner(person)
        data.blobs.attach(person, attachment, bytes)
      }),
    attachment: (person, hash) => read(() => data.blobs.attachment(person, hash)),
    attachedBytes: (person) => read(() => data.blobs.attachedBytes(person)),
    attachments: (person, page) => read(() => data.blobs.page(person, page)),
    detach: (person, hash) => write([], () => data.blobs.detach(person, hash)),
  }
}

export function memoryTriggers({ data, read, write }: MemoryAccess): Triggers {
  const { triggers } = data
  return {
    of: (person, kinds) => read(() => triggers.ofPerson(person, kinds)),
    on: (stream, kind) => read(() => triggers.on(stream, kind)),
    byId: (kinds, page) => read(() => triggers.byId(kinds, page)),
    get: (id) => read(() => triggers.get(id)),
    add: (record, bounds, audit) =>
      write([], () => {
        if (record.stream !== null && data.get(record.stream) === undefined) return "gone"
        data.links.checkOwner(record.person)
        const added = triggers.add(record, bounds)
        if (added === "added" && audit !== undefined) data.audit.push(audit)
        return added
      }),
    change: (record, firings = []) => write([], () => triggers.change(record, firings)),
    delete: (id, audit) =>
      write([], () => {
        const deleted = triggers.delete(id)
        if (deleted && audit !== undefined) data.audit.push(audit)
        return deleted
      }),
    due: (kinds, now, page) => read(() => triggers.due(kinds, now, page)),
    nextLook: (kinds) => read(() => triggers.nextLook(kinds)),
    firings: (wanted, most) => read(() => triggers.firings(wanted, most)),
    putFiring: (firing) => write([], () => triggers.put(firing)),
    countSent: (stream, kind, since) => read(() => triggers.countSent(stream, kind, since)),
  }
}

export function memoryUsage({ data, read }: MemoryAccess): UsageCounts {
  return {
    stored: (person) => read(() => data.stored(person)),
    dayTotal: (person, day) => read(() => data.ledger.dayTotal(person, day)),
    spending: (person, page) => read(() => data.ledger.lines(person, page)),
    totals: (query) => read(() => data.ledger.totals(query)),
    people: (page) => read(() => data.people(page)),
  }
}

export function memoryDeletions({ data, read, write }: MemoryAccess): Deletions {
  const marks = data.links.deletions
  return {
    begin: (person, audit) => write([], () => data.beginDeletion(person, audit)),
    all: () => read(() => [...marks].map(([person, doneAt]) => ({ person, isDone: doneAt !== undefined }))),
    slice: (person) =>
      write([], () => {
        data.deleteRest(person)
        return true
      }),
    end: async (lingerMs) => {
      for (const [person, doneAt] of marks)
        if (doneAt !== undefined && doneAt <= data.clock.now() - lingerMs) marks.delete(person)
    },
  }
}

export function memoryPreferences({ data, read, write }: MemoryAccess): PersonPreferences {
  return {
    read: (person) => read(() => data.preferences.get(person)),
    write: (person, record) =>
      write([], () => {
        data.links.checkOwner(person)
        if ((data.preferences.get(person)?.version ?? 0) !== record.version - 1) return false
        data.preferences.set(person, record)
        return true
      }),
  }
}

export function memoryPushes({ data, read, write }: MemoryAccess): Pushes {
  const of = (person: string) =>
    [...data.pushes.values()]
      .filter((push) => push.person === person)
      .sort((a, b) => b.seenAt - a.seenAt || (a.id < b.id ? -1 : 1))
  return {
    of: (person) => read(() => of(person)),
    put: (record, most) =>
      write([], () => {
        data.links.checkOwner(record.person)
        data.pushes.set(record.id, record)
        for (const { id } of of(record.person).slice(most)) data.pushes.delete(id)
      }),
    remove: (person, id) => write([], () => data.pushes.get(id)?.person === person && data.pushes.delete(id)),
    keys: () => read(() => data.pushKeys),
    setKeys: (record, before) =>
      write([], () => {
        if (data.pushKeys?.publicKey !== before) return false
        data.pushKeys = record
        return true
      }),
  }
}

export function memoryProviders({ data, read, write, ring }: MemoryAccess): Providers {
  const changed = (audit: AuditEntry) => {
    data.providersVersion += 1
    data.audit.push(audit)
    ring(PROVIDERS_CHANGED)
  }
  return {
    all: () => read(() => [...data.providers.values()].sort((a, b) => (a.provider < b.provider ? -1 : 1))),
    version: () => read(() => data.providersVersion),
    put: (record, audit) =>
      write([], () => {
        data.providers.set(record.provider, record)
        changed(audit)
      }),
    remove: (provider, audit) =>
      write([], () => {
        if (!data.providers.delete(provider)) return false
        changed(audit)
        return true
      }),
  }
}
