/**
 * Everything this browser stores for one person that has their words in it or names their conversations, apart from
 * anybody else's: drafts, messages on their way, where they were reading (SEC-2). Tabs and snapshots, which the server
 * could tell again, belong to the desk.
 *
 * What is stored is defined where it is used, as a part; this folder knows none of them.
 */
import { attempt, type Keep, keepIn } from "./keep.ts"
import { dropUnowned, type KeptStorage, type OwnStorage, storageOf } from "./storageOf.ts"

type OwnKeeps = {
  /** For all windows. */
  readonly keep: Keep
  /** For this window, across its reloads. */
  readonly windowKeep: Keep
}

/** One kind of thing that is stored for a person. It is created once for each person. */
export type OwnPart<T> = (keeps: OwnKeeps) => T

export type Own = OwnKeeps & {
  readonly part: <T>(create: OwnPart<T>) => T
  /** Where messages on their way outlive the page. */
  readonly outbox: OwnStorage | undefined
  /** The names under which something is stored. */
  readonly names: () => readonly string[]
  /** Deletes all of it from the browser. */
  readonly forget: () => void
}

/** `browser` is for all windows, `window` for this one; either may be refused. */
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
