/**
 * Throttles log lines that may occur a thousand times a second to one per second. The last suppressed line is written
 * when the second is over, with the number of suppressed lines.
 */
import type { LogFields } from "@parlor/core"

const LINE_MS = 1_000

type Write = (fields: LogFields) => void

export function createCalm(): (fields: LogFields, write: Write) => void {
  let last = Number.NEGATIVE_INFINITY
  let omitted = 0
  let waiting: (() => void) | undefined
  const flush = () => {
    const latest = waiting
    waiting = undefined
    if (latest === undefined) return
    last = performance.now()
    latest()
    omitted = 0
  }
  return (fields, write) => {
    const now = performance.now()
    const isWaiting = waiting !== undefined
    waiting = () => write(omitted > 0 ? { ...fields, omitted } : fields)
    if (now - last >= LINE_MS && !isWaiting) return flush()
    omitted += isWaiting ? 1 : 0
    if (!isWaiting) setTimeout(flush, LINE_MS - (now - last)).unref()
  }
}
