import { createRuntime } from "@parlor/core"
import { MemoryStore } from "@parlor/core/testing"
import { simulate } from "./simulation.ts"

void createRuntime
const from = Number(process.argv[3] ?? 0)
const orig = MemoryStore.prototype.commit
let last = 0
MemoryStore.prototype.commit = async function (batch) {
  const out = await orig.call(this, batch)
  for (const [i, a] of batch.entries()) {
    const t = a.at - 1700000000000
    if (t >= from)
      console.log(
        t,
        `s${a.stream}`,
        a.txid,
        "lease",
        JSON.stringify(a.lease),
        "epoch",
        a.epoch,
        "batch",
        a.batch,
        a.changes
          .map((c) => `${c.collection}:${c.key}`)
          .join(" ")
          .slice(0, 80),
        "=>",
        JSON.stringify(out[i]).slice(0, 80),
      )
    last = t
  }
  return out
}
const out = await simulate({ seed: Number(process.argv[2]), steps: 200 })
for (const f of out.failures) console.log(f.step, f.check, f.rule, f.detail.slice(0, 200))
process.exit(0)
