/** Which tests reach which mutants. Kept per test file until it or any mutated file changes. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CoverLine, MutantJob, Reach } from "./job.ts"
import { cover } from "./process.ts"
import { root, sources, testFiles } from "./scope.ts"

/** Tests of one mutant may take this long together; the quickest of them come first. */
const MOST_MS = 5_000
/** Loading modules again takes its time, too. */
const LOAD_MS = 1_000

type Kept = { readonly hash: string; readonly line: CoverLine }

export async function coverage(folder: string): Promise<readonly CoverLine[]> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, "coverage.json")
  const kept = new Map<string, Kept>(
    existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as [string, Kept][]) : [],
  )
  const base = hashOf(sources())
  const files = testFiles()
  const hashes = new Map(files.map((file) => [file, `${base}${hashOf([file])}`]))
  const missing = files.filter((file) => kept.get(file)?.hash !== hashes.get(file))
  if (missing.length > 0) {
    console.log(`Looking which tests reach what: ${missing.length} of ${files.length} test files`)
    for (const line of await cover(folder, missing)) kept.set(line.file, { hash: hashes.get(line.file) ?? "", line })
    writeFileSync(path, JSON.stringify([...kept].filter(([file]) => hashes.has(file))))
  }
  return files.flatMap((file) => kept.get(file)?.line ?? [])
}

export type Plan = { readonly job: MutantJob; readonly ms: number }

/** What is run for each mutant that a test reaches. */
export function plans(ids: readonly string[], lines: readonly CoverLine[]): Map<string, Plan> {
  const reaching = new Map<string, { loading: boolean; runs: (Reach & { readonly ms: number })[] }>()
  const entry = (id: string) => {
    const known = reaching.get(id) ?? { loading: false, runs: [] }
    reaching.set(id, known)
    return known
  }
  for (const { file, failed, loading, around, tests } of lines) {
    const usable = tests.filter(({ name }) => !failed.includes(name))
    const whole = { file, tests: usable.map(({ name }) => name), ms: total(usable) }
    const everywhere = new Set([...loading, ...around])
    for (const id of loading) entry(id).loading = true
    for (const id of everywhere) entry(id).runs.push(whole)
    const byId = new Map<string, typeof usable>()
    for (const test of usable)
      for (const id of test.reached) if (!everywhere.has(id)) byId.set(id, [...(byId.get(id) ?? []), test])
    for (const [id, some] of byId) entry(id).runs.push({ file, tests: some.map(({ name }) => name), ms: total(some) })
  }
  return new Map(ids.flatMap((id) => (reaching.has(id) ? [[id, planOf(id, entry(id))]] : [])))
}

function planOf(id: string, { loading, runs }: { loading: boolean; runs: (Reach & { readonly ms: number })[] }): Plan {
  const near = (file: string) => (folderOf(file) === folderOf(id) ? 0 : 1)
  const ordered = runs.toSorted((one, other) => near(one.file) - near(other.file) || one.ms - other.ms)
  const reach: Reach[] = []
  let ms = 0
  for (const { file, tests, ms: own } of ordered) {
    const takes = loading ? own + LOAD_MS : own
    if (ms > 0 && ms + takes > MOST_MS) continue
    ms += takes
    reach.push({ file, tests })
  }
  return { job: { id, loading, reach }, ms }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"))
}

function total(tests: CoverLine["tests"]): number {
  return tests.reduce((sum, { ms }) => sum + ms, 0)
}

function hashOf(files: readonly string[]): string {
  const hash = createHash("sha256")
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest("hex")
}
