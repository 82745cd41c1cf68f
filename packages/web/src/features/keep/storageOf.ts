/**
 * The part of a browser's storage that is one person's: every name in it begins with what stands for the person, which is
 * made from their token. Whoever comes with another token finds nothing of it (SEC-2).
 */
export type KeptStorage = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">

export type OwnStorage = KeptStorage & {
  /** Nothing of it stays, and nothing comes into it any more. */
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
    // What was under way when the person left must not put anything back.
    setItem: (name, value) => void (isForgotten || whole.setItem(prefix + name, value)),
    removeItem: (name) => whole.removeItem(prefix + name),
    forget() {
      isForgotten = true
      for (const name of names()) whole.removeItem(name)
    },
  }
}

/** What stood here before it was known whose it is. */
const UNOWNED = /^parlor\.(composer\.|draft\.|edited-from\.|while-busy\.|file-draft\.|outbox |palette$)/

/**
 * Deletes words that nobody can be told to have written: they may be those of whoever was here before, and shown to
 * somebody else they would be read, and what was not delivered would be sent in that one's name.
 */
export function dropUnowned(whole: KeptStorage): void {
  for (const name of namesIn(whole)) if (UNOWNED.test(name)) whole.removeItem(name)
}

function namesIn(whole: KeptStorage): readonly string[] {
  return Array.from({ length: whole.length }, (_, index) => whole.key(index)).filter((name) => name !== null)
}
