/**
 * Gives memory back once there is nothing to do.
 *
 * While a server works, V8 keeps what its young generation has grown to, which is what makes it fast. An idle one has no
 * use for it, and V8 shrinks it only when told that memory is short. Nothing but the inspector can tell it so.
 */
import { Session } from "node:inspector"
import { performance } from "node:perf_hooks"

const LOOK_MS = 700
/** The share of the time in which something was done: less than one stream of text takes. */
const IDLE_SHARE = 0.005
const WORTH_BYTES = 4 * 1024 * 1024

/** The answer ends it. */
export function giveMemoryBackWhenIdle(): () => void {
  const session = new Session()
  session.connect()
  let before = performance.eventLoopUtilization()
  let kept = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (!isWorthIt({ utilization, rss: rssOf(), kept })) return
    session.post("HeapProfiler.collectGarbage", () => {
      kept = rssOf()
    })
  }, LOOK_MS)
  timer.unref()
  // Not from within one of its own calls: Node hangs there.
  return () => {
    clearInterval(timer)
    session.disconnect()
  }
}

/** None, when it cannot be seen: reading it takes a descriptor, and there may be none left (SEC-13). */
function rssOf(): number {
  try {
    return process.memoryUsage.rss()
  } catch {
    return 0
  }
}

/** `kept`: what was left the last time. It is not tried again until there is more: an idle server rests. */
export function isWorthIt(now: { readonly utilization: number; readonly rss: number; readonly kept: number }): boolean {
  return now.utilization <= IDLE_SHARE && now.rss - now.kept >= WORTH_BYTES
}
