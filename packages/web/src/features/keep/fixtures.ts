/** A browser's storage for tests, with access to its contents. */
import type { KeptStorage } from "./storageOf.ts"

export function storageIn(kept: Readonly<Record<string, string>> = {}): {
  readonly items: Map<string, string>
  readonly storage: KeptStorage
} {
  const items = new Map(Object.entries(kept))
  const storage = {
    get length() {
      return items.size
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
  return { items, storage }
}
