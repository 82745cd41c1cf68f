/**
 * Everything this browser keeps for one person that holds their words or names their conversations, apart from anybody
 * else's: what is written and not sent, what is on its way, where they were reading (SEC-2). Tabs and snapshots, which
 * the server could tell again, are the desk's.
 */
import { browserPictures, makeUploads, type Uploads } from "../attachment/uploads.ts"
import { type BusyModes, busyModesIn } from "../composer/busyMode.ts"
import { type Drafts, draftsIn } from "../draft/draft.ts"
import { type FileDrafts, fileDraftsIn } from "../files/fileDrafts.ts"
import { type Editing, editingIn } from "../rollback/editing.ts"
import { type Places, placesIn } from "../tab/places.ts"
import { attempt, type Keep, keepIn } from "./keep.ts"
import { dropUnowned, type KeptStorage, type OwnStorage, storageOf } from "./storageOf.ts"

export type Own = {
  readonly keep: Keep
  readonly drafts: Drafts
  readonly editing: Editing
  readonly busyModes: BusyModes
  readonly fileDrafts: FileDrafts
  readonly uploads: Uploads
  readonly places: Places
  /** Where messages on their way outlive the page. */
  readonly outbox: OwnStorage | undefined
  /** The conversations in which something is written and not sent. */
  readonly unsent: () => readonly string[]
  /** Nothing of it stays in the browser. */
  readonly forget: () => void
}

/** `browser` is for all windows, `window` for this one; either may be refused. */
export function ownIn(person: string, browser: KeptStorage | undefined, window: KeptStorage | undefined): Own {
  const [shared, alone] = [browser, window].map((whole) => whole && partOf(person, whole))
  const keep = keepOf(shared)
  const windowKeep = keepOf(alone)
  const drafts = draftsIn(keep, windowKeep)
  return {
    keep,
    drafts,
    editing: editingIn(keep),
    busyModes: busyModesIn(keep),
    fileDrafts: fileDraftsIn(keep),
    uploads: makeUploads(browserPictures),
    places: placesIn(windowKeep),
    outbox: shared,
    unsent: () => drafts.written([shared, alone].flatMap((part) => attempt(() => namesIn(part)) ?? [])),
    forget() {
      for (const part of [shared, alone]) attempt(() => part?.forget())
    },
  }
}

function partOf(person: string, whole: KeptStorage): OwnStorage {
  attempt(() => dropUnowned(whole))
  return storageOf(person, whole)
}

function namesIn(part: OwnStorage | undefined): readonly string[] {
  return Array.from({ length: part?.length ?? 0 }, (_, index) => part?.key(index) ?? "")
}

function keepOf(part: OwnStorage | undefined): Keep {
  return part === undefined ? { read: () => undefined, write: () => undefined } : keepIn(() => part)
}
