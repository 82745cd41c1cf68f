/**
 * A process that stops hands its conversations over (TRN-17, TRN-19).
 *
 *   running ──runtime.drain()──▶ draining ──every drive has ended, or the time is up──▶ closed
 *
 * `model-call/hand-over.ts` defines where a turn can be handed over. Its drive then releases the lease and notifies the
 * other processes, which take it at once.
 */
import type { StreamId } from "@parlor/protocol"
import { writeRelease } from "../log/write.ts"
import { HandedOver } from "../model-call/hand-over.ts"
import type { DriveAccess } from "./drive-access.ts"
import type { Drive } from "./owned.ts"

/** From now on this process takes over no conversations. The others, or the next start, find the due schedules. */
export function beginDraining(node: DriveAccess): void {
  if (node.draining.signal.aborted) return
  node.draining.abort(new HandedOver())
  void node.alarm.stop()
}

/** Releases the lease; the first process to be notified takes over the conversation. */
export async function handOverDrive(node: DriveAccess, drive: Drive): Promise<void> {
  await writeRelease(node, drive).catch(() => {})
  offer(node, drive.stream)
}

/** Notifies the others of work in a conversation that this process no longer takes. */
export function offer(node: DriveAccess, stream: StreamId): void {
  node.store.offer?.(stream)
}

/** Resolves when no drive is left, or when the time is up. */
export async function drained(node: DriveAccess, ms: number): Promise<void> {
  let isOver = false
  let cancel = () => {}
  const timeUp = new Promise<void>((resolve) => {
    cancel = node.clock.after(ms, () => {
      isOver = true
      resolve()
    })
  })
  // A command may begin another drive, to end a turn or to start a message now.
  while (!isOver && node.drives.size > 0) {
    const drives = [...node.drives.values()]
    for (const drive of drives) drive.poke()
    await Promise.race([Promise.all(drives.map(({ over }) => over)), timeUp])
  }
  cancel()
}
