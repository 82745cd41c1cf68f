import { simulate } from "./simulation.ts"

const seed = Number(process.argv[2]),
  tail = Number(process.argv[3] ?? 60)
const out = await simulate({ seed, steps: 200, store: (process.argv[4] ?? "memory") as "memory" })
for (const f of out.failures) console.log(f.step, f.check, f.rule, f.detail.slice(0, 400))
const lines = out.transcript().split("\n")
const events = lines.filter((l) => l.startsWith("{")).map((l) => JSON.parse(l))
const ops = lines
  .filter((l) => l.startsWith("[{"))
  .map((l) => JSON.parse(l))
  .filter((o) => Array.isArray(o))
const streams: any[][] = []
for (const e of events) {
  if (e.seq === 1) streams.push([])
  streams.at(-1)!.push(e)
}
for (const s of streams) {
  if (s[0].collection === "conversations") continue
  console.log("--- stream")
  for (const e of s.slice(-tail)) {
    const v = JSON.parse(e.value)
    const t = e.at - 1700000000000
    const short =
      e.collection === "status"
        ? `${v.state} turn=${v.turn} held=${v.held?.reason} att=${v.attempt}`
        : e.collection === "turns"
          ? `${v.state} steps=${v.steps} msg=${v.message}`
          : e.collection === "messages"
            ? `${v.role} ord=${v.ord} ${v.state} turn=${v.turn} ${JSON.stringify(v.parts.map((p: any) => p.text ?? `${p.name}:${p.call}:${p.state}`))}`
            : e.collection === "queue"
              ? `${v.mode} pos=${v.position} v${v.version} lease=${v.lease?.until} ${v.payload.source}`
              : e.collection === "asks"
                ? `${v.state} ${v.answer} ${v.expiresAt}`
                : e.value.slice(0, 100)
    console.log(t, e.seq, e.txid, e.collection, e.key, e.operation[0], short)
  }
}
for (const o of ops.slice(-40)) {
  const { kind, ...rest } = o[0]
  console.log(
    o[1],
    kind,
    JSON.stringify(rest),
    "=>",
    o[2],
    o[4] || JSON.stringify(o[3])?.slice(0, 120),
    o[5] ? o[5] - 1700000000000 : "",
  )
}
process.exit(0)
