/**
 * Everything personal this browser stores for one person, separate from everyone else's: drafts, unsent messages and
 * reading positions (SEC-2). Tabs and snapshots, which can be loaded again, belong to the desk.
 *
 * Each part is defined where it is used; this folder knows none of them.
 */
import { attempt, type Keep, keepIn } from "./keep.ts"
import { dropUnowned, type KeptStorage, type OwnStorage, storageOf } from "./storageOf.ts"

type OwnKeeps = {
  /** For all windows. */
  readonly keep: Keep
  /** For this window, across its reloads. */
  readonly windowKeep: Keep
}

/** One kind of stored data. Created once per person. */
export type OwnPart<T> = (keeps: OwnKeeps) => T

export type Own = OwnKeeps & {
  readonly part: <T>(create: OwnPart<T>) => T
  /** Where unsent messages survive a reload. */
  readonly outbox: OwnStorage | undefined
  /** The stored keys. */
  readonly names: () => readonly string[]
  /** Deletes everything from the browser. */
  readonly forget: () => void
}

/** `browser` is shared by all windows, `window` is per window; either may be unavailable. */
export function ownIn(person: string, browser: KeptStorage | undefined, window: KeptStorage | undefined): Own {
  const [shared, alone] = [browser, window].map((whole) => whole && partOf(person, whole))
  const keeps: OwnKeeps = { keep: keepOf(shared), windowKeep: keepOf(alone) }
  const parts = new Map<OwnPart<unknown>, unknown>()
  return {
    ...keeps,
    part<T>(create: OwnPart<T>): T {
      if (!parts.has(create)) parts.set(create, create(keeps))
      // Only the line above puts anything in.
      return parts.get(create) as T
    },
    outbox: shared,
    names: () => [shared, alone].flatMap((storage) => attempt(() => namesIn(storage)) ?? []),
    forget() {
      for (const storage of [shared, alone]) attempt(() => storage?.forget())
    },
  }
}

function partOf(person: string, whole: KeptStorage): OwnStorage {
  attempt(() => dropUnowned(whole))
  return storageOf(person, whole)
}

function namesIn(storage: OwnStorage | undefined): readonly string[] {
  return Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? "")
}

function keepOf(storage: OwnStorage | undefined): Keep {
  return storage === undefined ? { read: () => undefined, write: () => undefined } : keepIn(() => storage)
}
