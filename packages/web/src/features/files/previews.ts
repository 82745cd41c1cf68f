/**
 * A cache of file contents within a byte budget. Evicts the least recently used; a file larger than the budget is not
 * cached (TAB-5).
 */
import type { FileRead } from "@parlor/client"

const PREVIEW_BYTES = 10 * 1024 * 1024

export type Previews = {
  /** The cached content of that path and hash. */
  readonly take: (key: string) => FileRead | undefined
  readonly keep: (key: string, read: FileRead) => void
  /** The cached bytes, for the counters. */
  readonly bytes: () => number
  readonly subscribe: (listener: () => void) => () => void
}

export function previewsOf(most: number): Previews {
  const kept = new Map<string, FileRead>()
  const listeners = new Set<() => void>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= kept.get(key)?.bytes.length ?? 0
    kept.delete(key)
  }
  return {
    take: (key) => {
      const read = kept.get(key)
      if (read === undefined) return undefined
      kept.delete(key)
      kept.set(key, read)
      return read
    },
    keep: (key, read) => {
      drop(key)
      if (read.bytes.length <= most) {
        kept.set(key, read)
        bytes += read.bytes.length
      }
      for (const oldest of kept.keys()) {
        if (bytes <= most) break
        drop(oldest)
      }
      for (const listener of listeners) listener()
    },
    bytes: () => bytes,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const previews = previewsOf(PREVIEW_BYTES)

export function previewKey(conversation: string, path: string, hash: string): string {
  return JSON.stringify([conversation, path, hash])
}
