/**
 * One person's part of the browser's storage: every key starts with a prefix derived from their token, so another token
 * can't see it (SEC-2).
 */
export type KeptStorage = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">

export type OwnStorage = KeptStorage & {
  /** Deletes everything, and ignores later writes. */
  readonly forget: () => void
}

export function storageOf(person: string, whole: KeptStorage): OwnStorage {
  const prefix = `parlor.of.${person}.`
  let isForgotten = false
  const names = () => namesIn(whole).filter((name) => name.startsWith(prefix))
  return {
    get length() {
      return names().length
    },
    key: (index) => names()[index]?.slice(prefix.length) ?? null,
    getItem: (name) => whole.getItem(prefix + name),
    // Pending work must not write anything after sign-out.
    setItem: (name, value) => void (isForgotten || whole.setItem(prefix + name, value)),
    removeItem: (name) => whole.removeItem(prefix + name),
    forget() {
      isForgotten = true
      for (const name of names()) whole.removeItem(name)
    },
  }
}

/** Keys of older versions, which stored data without an owner. */
const UNOWNED = /^parlor\.(composer\.|draft\.|edited-from\.|while-busy\.|file-draft\.|outbox |palette$)/

/**
 * Deletes data without an owner. It may belong to a previous user of this browser: another person could read it, and
 * unsent messages would be sent in their name.
 */
export function dropUnowned(whole: KeptStorage): void {
  for (const name of namesIn(whole)) if (UNOWNED.test(name)) whole.removeItem(name)
}

function namesIn(whole: KeptStorage): readonly string[] {
  return Array.from({ length: whole.length }, (_, index) => whole.key(index)).filter((name) => name !== null)
}
