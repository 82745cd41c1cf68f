import { setTimeout as pause } from "node:timers/promises"

/** Waits, or until the signal ends it. A process that has nothing else to do need not stay for it. */
export async function rest(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined)
}
