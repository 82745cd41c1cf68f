import { setTimeout as pause } from "node:timers/promises"

/** Waits, or until the signal aborts. Does not keep the process alive. */
export async function rest(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined)
}
