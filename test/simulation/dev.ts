import { sumOf } from "./counts.ts"
import { simulate } from "./simulation.ts"

const from = Number(process.argv[2] ?? 1),
  to = Number(process.argv[3] ?? from),
  steps = Number(process.argv[4] ?? 200)
const store = (process.argv[5] ?? "memory") as "memory" | "sqlite"
Error.stackTraceLimit = 0
const t = performance.now(),
  c0 = process.cpuUsage()
const by = new Map<string, number[]>()
const all = []
for (let seed = from; seed <= to; seed++) {
  const out = await simulate({ seed, steps, store })
  all.push(out.counts)
  const first = out.failures[0]
  if (first) {
    const key = `${first.check} [${first.rule}]`
    const known = by.get(key) ?? []
    by.set(key, known)
    known.push(seed)
    if (known.length <= 2 || from === to) {
      console.log(seed, key, "step", first.step, first.detail.slice(0, 600))
      if (from === to)
        for (const f of out.failures.slice(1)) console.log("   ", f.check, f.rule, f.detail.slice(0, 300))
    }
  }
}
console.log(sumOf(all))
for (const [k, s] of by) console.log(k, s.length, s.slice(0, 10).join(" "))
console.log((process.cpuUsage(c0).user / 1000 / (to - from + 1)).toFixed(1), "ms user per seed")
console.log(((performance.now() - t) / (to - from + 1)).toFixed(1), "ms per seed")
process.exit(0)
