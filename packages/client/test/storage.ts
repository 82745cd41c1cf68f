import type { OutboxStorage } from "../src/live/stored-sends.ts"

/** What a browser's `localStorage` does, on a map that the test can look into. */
export function memoryStorage(items = new Map<string, string>()): OutboxStorage {
  return {
    get length() {
      return items.size
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  }
}
