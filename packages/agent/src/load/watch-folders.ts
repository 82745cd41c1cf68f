/**
 * Tells of changes in folders, soon and once: editors write a file in several steps, and some put another in its place, so
 * it is the folder that is watched. Told by the system, never polled.
 */
import { type FSWatcher, watch } from "node:fs"

const SETTLE_MS = 100
const MAX_WATCHED = 1_000

export type Watched = {
  /** Watches these from now on, and no others. */
  set(folders: readonly string[]): void
  close(): void
}

/** `matters` looks at the name of what changed in a folder, when the system says it. */
export function watchFolders(changed: () => void, matters: (folder: string, name: string | null) => boolean): Watched {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(changed, SETTLE_MS)
    timer.unref()
  }
  const drop = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const add = (folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (matters(folder, name)) soon()
      })
      watchers.set(folder, watcher)
      watcher.on("error", () => {
        drop(folder)
        soon()
      })
    } catch {
      // It is gone, or the system has no room for another: whatever else is watched tells.
    }
  }
  return {
    set(folders) {
      const wanted = new Set(folders.slice(0, MAX_WATCHED))
      for (const folder of [...watchers.keys()]) if (!wanted.has(folder)) drop(folder)
      for (const folder of wanted) if (!watchers.has(folder)) add(folder)
    },
    close() {
      clearTimeout(timer)
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}
