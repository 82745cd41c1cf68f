import { simulate } from "./simulation.ts"

Error.stackTraceLimit = 0
const from = Number(process.env.FROM ?? 1),
  n = Number(process.env.N ?? 40)
const u = process.cpuUsage()
let bad = 0,
  guests = 0
for (let seed = from; seed < from + n; seed++) {
  const o = await simulate({ seed, steps: 200 })
  guests += o.counts.guests
  if (o.failures.length) {
    bad++
    console.log(
      "SEED",
      seed,
      o.failures
        .slice(0, 3)
        .map((f) => `${f.check} [${f.rule}] ${f.detail} @${f.step}`)
        .join("\n  "),
    )
  }
}
console.log(n, "seeds", "bad", bad, "guests", guests, process.cpuUsage(u).user / 1e6)
