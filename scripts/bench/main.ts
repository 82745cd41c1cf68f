/**
 * Measures Parlor beside a server that stores nothing, and prints one table.
 *
 *   node scripts/bench.mjs [--systems=raw,sqlite,postgres,postgres3] [--phases=g,a,b,c,d,e,f] [--seconds=8]
 *   node scripts/bench.mjs --soak [--long] [--scale=0.1]
 *
 * Compare within a run: a busy machine changes times, and CPU per turn much less.
 */
import { parseArgs } from "node:util"
import {
  coldStart,
  type Figures,
  fanOut,
  longHistory,
  longTurns,
  memory,
  type PhaseOptions,
  shortTurns,
  streaming,
} from "./phases.ts"
import { type BenchDatabase, startDatabase } from "./postgres.ts"
import { soak } from "./soak.ts"
import { parlor, raw, type System } from "./systems.ts"
import { table } from "./table.ts"

const { values } = parseArgs({
  options: {
    systems: { type: "string", default: "raw,sqlite,postgres,postgres3" },
    phases: { type: "string", default: "g,a,b,c,d,e,f" },
    seconds: { type: "string", default: "8" },
    soak: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    scale: { type: "string", default: "1" },
  },
})

const options: PhaseOptions = { seconds: Number(values.seconds) }

/** Raw has no history and no memory of its own to measure. */
const phases: Readonly<Record<string, (system: System) => Promise<Figures>>> = {
  g: coldStart,
  a: longTurns,
  b: async (system) => {
    let all: Figures = {}
    for (const conversations of [1, 16, 64]) all = { ...all, ...(await shortTurns(system, conversations, options)) }
    return all
  },
  c: (system) => streaming(system, options),
  d: (system) => fanOut(system),
  e: async (system) =>
    system === raw ? {} : { ...(await longHistory(system, 10)), ...(await longHistory(system, 10_000)) },
  f: async (system) => (system === raw ? {} : memory(system)),
}

if (values.soak) await soak(parlor("sqlite"), { minutes: values.long ? 10 : 1, scale: Number(values.scale) })
else await compare()

async function compare(): Promise<void> {
  const names = values.systems.split(",")
  let database: BenchDatabase | undefined
  try {
    if (names.some((name) => name.startsWith("postgres"))) database = await startDatabase()
    const known: Readonly<Record<string, System>> = {
      raw,
      sqlite: parlor("sqlite"),
      postgres: parlor("postgres", 1, database),
      postgres3: parlor("postgres3", 3, database),
    }
    const results = new Map<string, Figures>()
    for (const phase of values.phases.split(","))
      for (const name of names) {
        const [measure, system] = [phases[phase], known[name]]
        if (measure === undefined || system === undefined)
          throw new Error(`There is no phase ${phase} or system ${name}.`)
        results.set(name, { ...results.get(name), ...(await measure(system)) })
        process.stderr.write(`${phase} ${name}\n`)
      }
    process.stdout.write(table(results))
  } finally {
    await database?.remove()
  }
}
