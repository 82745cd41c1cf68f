import { MemoryStore } from "@parlor/core/testing"
import { SimClock } from "./sim-clock.ts"
import { simulate } from "./simulation.ts"

Error.stackTraceLimit = 0
const n: Record<string, number> = {}
for (const name of ["commit", "read", "find", "events", "orphans", "renew", "ensure"] as const) {
  const orig = MemoryStore.prototype[name] as (...a: unknown[]) => unknown
  ;(MemoryStore.prototype as unknown as Record<string, unknown>)[name] = function (this: unknown, ...a: unknown[]) {
    n[name] = (n[name] ?? 0) + 1
    return orig.apply(this, a)
  }
}
const adv = SimClock.prototype.after
SimClock.prototype.after = function (ms, call) {
  n.timers = (n.timers ?? 0) + 1
  return adv.call(this, ms, () => {
    n.fired = (n.fired ?? 0) + 1
    call()
  })
}
const c = process.cpuUsage()
for (let seed = 1; seed <= 60; seed++) await simulate({ seed, steps: 200 })
for (const k of Object.keys(n)) console.log(k, Math.round((n[k] ?? 0) / 60))
console.log(process.cpuUsage(c).user / 60000)
process.exit(0)
