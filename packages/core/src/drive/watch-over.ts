/**
 * What a process does for conversations between commands: takes over what nobody owns, renews its own leases, and
 * hears what other processes wrote.
 */
import type { StreamId } from "@parlor/protocol"
import { Fenced } from "../log/decide.ts"
import { reasonFields } from "../ports/log.ts"
import type { DriveAccess } from "./drive-access.ts"
import type { Drive } from "./owned.ts"
import { recover } from "./recover.ts"

const ORPHANS_AT_ONCE = 100
/** Slices of deleted conversations and abandoned imports per sweep. */
const FREED_SLICES = 100

export async function sweep(node: DriveAccess): Promise<void> {
  const orphans = await node.store.log.orphans(ORPHANS_AT_ONCE)
  await resume(node, new Set([...node.paused, ...orphans.map((stream) => stream.id)]))
}

/** Frees what deleted conversations and abandoned imports left. The rest of a long one is freed in later sweeps. */
export async function sweepDeleted(node: DriveAccess): Promise<void> {
  for (let slice = 0; slice < FREED_SLICES && (await node.store.log.freeSlice()); slice++);
}

export async function resume(node: DriveAccess, streams: Iterable<StreamId>): Promise<void> {
  for (const stream of streams) {
    if (node.draining.signal.aborted) return
    const paused = node.paused.delete(stream)
    try {
      await recover(node, stream, { paused })
    } catch (error) {
      if (paused) node.paused.add(stream)
      node.log.warn("could not resume", reasonFields(error))
    }
  }
}

/** Of the conversations this process owns, and of the imports it is writing. */
export async function renew(node: DriveAccess & { readonly imports: ReadonlySet<StreamId> }): Promise<void> {
  if (node.drives.size + node.imports.size === 0) return
  const lost = await node.store.log.renew(node.name, [...node.drives.keys(), ...node.imports], node.settings.leaseMs)
  for (const stream of lost) node.drives.get(stream)?.current?.abort.abort(new Fenced())
}

/** Another process wrote: readers read again, and so does a drive that waits for its queue. */
export function heard(node: DriveAccess, streams: readonly StreamId[]): void {
  for (const stream of streams) {
    node.hub.publish(stream, [])
    const drive = node.drives.get(stream)
    if (drive === undefined) continue
    drive.poke()
    void letGoIfTaken(node, drive)
  }
}

/** A turn whose model is silent would otherwise learn only with the next renewal that it was stopped elsewhere. */
async function letGoIfTaken(node: DriveAccess, drive: Drive): Promise<void> {
  try {
    const now = await node.store.log.read(drive.stream, [])
    if (now === undefined || now.stream.epoch > drive.epoch) drive.current?.abort.abort(new Fenced())
  } catch {
    // The next write or renewal finds out.
  }
}

/** Readers read everything before the event they are shown from the store, so the last one is enough. */
export async function show(node: DriveAccess, stream: StreamId, head: number): Promise<void> {
  try {
    const page = await node.store.log.events(stream, head - 1, { count: 1, bytes: 1 })
    if (page !== undefined) node.hub.publish(stream, page.changes)
  } catch (error) {
    node.log.warn("could not publish written events", reasonFields(error))
  }
}
