/**
 * `npm run mutate`: changes the code in one place at a time and checks whether a test fails. Lists surviving mutants.
 * `npm run mutate -- core/src/queue client` mutates only files whose path contains one of the words; `--missed`
 * runs only mutants that survived all earlier runs.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { acceptance } from "./accepted.ts"
import { coverage, plans } from "./coverage.ts"
import { instrument, type Mutant } from "./instrument.ts"
import { Known } from "./known.ts"
import { killAll, type Outcome } from "./process.ts"
import { report, type Verdict } from "./report.ts"
import { root, sources } from "./scope.ts"

const KEPT = join(root, ".cache", "mutate")
const IN_PARALLEL = 2

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { parallel: { type: "string", default: String(IN_PARALLEL) }, missed: { type: "boolean", default: false } },
})

const files = sources().filter((file) => positionals.length === 0 || positionals.some((word) => file.includes(word)))
const mutants = files.flatMap((file) => instrument(file, readFileSync(join(root, file), "utf8")).mutants)
const { accepts, stale } = acceptance()
const considered = mutants.filter((mutant) => !accepts(mutant))
const lines = await coverage(KEPT)
for (const { file, failed } of lines)
  for (const name of failed) console.log(`Fails without any mutant: ${file}: ${name}`)
const planned = plans(considered.map(idOf), lines)
const known = new Known(KEPT)
const found = await outcomes()
const verdicts = mutants.map((mutant): Verdict => ({ mutant, ...verdictOf(mutant) }))
writeFileSync(join(KEPT, "report.json"), JSON.stringify(verdicts, null, 1))
for (const entry of stale(mutants, new Set(files))) console.log(`In accepted.json, but matches no mutant: ${entry}`)
process.exitCode = report(verdicts) && stale(mutants, new Set(files)).length === 0 ? 0 : 1

async function outcomes(): Promise<ReadonlyMap<string, Outcome>> {
  const settled = new Map<string, Outcome>()
  for (const id of values.missed ? planned.keys() : []) {
    const noticed = known.noticed(id)
    if (noticed) settled.set(id, noticed)
  }
  const left = [...planned.values()].map(({ job }) => job).filter(({ id }) => !settled.has(id))
  const all = planned.size
  console.log(`${mutants.length} mutants in ${files.length} files, ${all} of them reached by tests`)
  const tell = (id: string, outcome: Outcome) => {
    settled.set(id, outcome)
    known.note(id, outcome)
    if (settled.size % 20 === 0) known.save()
    if (settled.size % 100 === 0) console.log(`${settled.size} of ${all}`)
  }
  const allowed = ({ id }: { readonly id: string }) => planned.get(id)?.ms ?? 0
  const names = Array.from({ length: Number(values.parallel) }, (_, index) => `process-${process.pid}-${index + 1}`)
  await Promise.all(names.map((name) => killAll(KEPT, name, left, allowed, tell)))
  known.save()
  return settled
}

function verdictOf(mutant: Mutant): Omit<Verdict, "mutant"> {
  if (accepts(mutant)) return { verdict: "accepted" }
  const outcome = found.get(idOf(mutant))
  if (!outcome) return { verdict: "unreached" }
  if (outcome.outcome === "begun") return { verdict: "unsure" }
  return { verdict: outcome.outcome, by: outcome.by }
}

function idOf({ file, number }: Mutant): string {
  return `${file}#${number}`
}
