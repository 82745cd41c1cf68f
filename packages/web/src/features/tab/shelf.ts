/**
 * Snapshots of conversations in IndexedDB. It may be unavailable (private windows, full disk, policy); the page works
 * without it.
 *
 * Snapshots of another person are deleted when this one signs in (SEC-2).
 */
import type { KeptSnapshot } from "./snapshot.ts"

export type Shelf = {
  /** The people who have snapshots. */
  readonly keys: () => Promise<readonly string[]>
  readonly read: (key: string) => Promise<KeptSnapshot | undefined>
  /** `full` when the browser's quota is exceeded. */
  readonly write: (snapshot: KeptSnapshot) => Promise<"kept" | "full" | "refused">
  readonly remove: (key: string) => Promise<void>
  /** Deletes all snapshots of all people. */
  readonly clear: () => Promise<void>
}

type Stored = KeptSnapshot & { readonly id: string; readonly person: string }

const DATABASE = "parlor"
const STORE = "snapshots"
const VERSION = 1

export function openShelf(factory: () => IDBFactory, person: string): Shelf {
  let opened: Promise<IDBDatabase> | undefined
  const idOf = (key: string) => `${person} ${key}`
  const database = () => {
    opened ??= open(factory).then(async (ready) => {
      await forgetOthers(ready, person)
      return ready
    })
    return opened
  }
  const run = async <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const transaction = (await database()).transaction(STORE, mode)
    const request = act(transaction.objectStore(STORE))
    await done(transaction)
    return request.result
  }
  return {
    keys: () =>
      run("readonly", (store) => store.getAllKeys()).then(
        (ids) => ids.map((id) => String(id).slice(person.length + 1)),
        () => [],
      ),
    read: (key) => run<Stored | undefined>("readonly", (store) => store.get(idOf(key))).catch(() => undefined),
    write: (snapshot) =>
      run("readwrite", (store) => store.put({ ...snapshot, id: idOf(snapshot.key), person })).then(
        () => "kept",
        (error: unknown) => (isFull(error) ? "full" : "refused"),
      ),
    remove: (key) => run("readwrite", (store) => store.delete(idOf(key))).catch(() => undefined),
    clear: () => run("readwrite", (store) => store.clear()).catch(() => undefined),
  }
}

export function browserShelf(person: string): Shelf {
  return openShelf(() => window.indexedDB, person)
}

function open(factory: () => IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory().open(DATABASE, VERSION)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: "id" })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error("Another page has an older version of the database open."))
  })
}

async function forgetOthers(database: IDBDatabase, person: string): Promise<void> {
  const transaction = database.transaction(STORE, "readwrite")
  const store = transaction.objectStore(STORE)
  const own = IDBKeyRange.bound(`${person} `, `${person}!`, false, true)
  store.delete(IDBKeyRange.upperBound(own.lower, true))
  store.delete(IDBKeyRange.lowerBound(own.upper))
  await done(transaction)
}

function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === "QuotaExceededError"
}
