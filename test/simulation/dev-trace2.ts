import { MemoryStore } from "@parlor/core/testing"
import { SimClock } from "./sim-clock.ts"
import { simulate } from "./simulation.ts"

let now = () => 0
const adv = SimClock.prototype.advance
SimClock.prototype.advance = function (ms) {
  now = () => this.now() - 1700000000000
  return adv.call(this, ms)
}
const from = Number(process.argv[3] ?? 0)
for (const name of ["renew", "orphans", "read", "commit"] as const) {
  const orig = MemoryStore.prototype[name] as (...a: unknown[]) => Promise<unknown>
  ;(MemoryStore.prototype as unknown as Record<string, unknown>)[name] = async function (
    this: unknown,
    ...a: unknown[]
  ) {
    const out = await orig.apply(this, a)
    if (now() >= from)
      console.log(now(), name, JSON.stringify(a).slice(0, 160), "=>", JSON.stringify(out)?.slice(0, 200))
    return out
  }
}
const out = await simulate({ seed: Number(process.argv[2]), steps: 200 })
for (const f of out.failures) console.log(f.step, f.check, f.rule, f.detail.slice(0, 200))
process.exit(0)
