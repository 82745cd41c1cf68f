/**
 * Reports changes in folders, debounced: editors write a file in several steps. Watches folders instead of files, because
 * some editors replace the file. Uses file system events, never polling.
 */
import { type FSWatcher, watch } from "node:fs"

const SETTLE_MS = 100
const MAX_WATCHED = 1_000

export type Watched = {
  /** Replaces the set of watched folders. */
  set(folders: readonly string[]): void
  close(): void
}

/** `matters` filters by the name of the changed entry, if the system reports one. */
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
      // The folder is gone, or the system's watch limit is reached: the other watchers still report.
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
