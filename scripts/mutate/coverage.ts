/** Which tests reach which mutants. Cached per test file until it or any mutated file changes. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CoverLine, MutantJob, Reach } from "./job.ts"
import { cover } from "./process.ts"
import { root, sources, testFiles } from "./scope.ts"

/** Time budget for all tests of one mutant. The fastest tests run first. */
const MOST_MS = 5_000
/** Allowance for reloading modules. */
const LOAD_MS = 1_000

/** `reached`: the mutated files whose mutants the tests reach, with their hash at that time. */
type Kept = { readonly hash: string; readonly reached: Readonly<Record<string, string>>; readonly line: CoverLine }

export async function coverage(folder: string): Promise<readonly CoverLine[]> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, "coverage.json")
  const known: [string, Kept][] = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : []
  const kept = new Map(known)
  const mutated = new Map(sources().map((file) => [file, hashOf([file, ...MUTATIONS])]))
  const files = testFiles()
  const isCurrent = (file: string, entry: Kept | undefined) =>
    entry?.hash === hashOf([file]) &&
    !entry.line.failed.includes(file) &&
    Object.entries(entry.reached).every(([source, hash]) => mutated.get(source) === hash)
  const missing = files.filter((file) => !isCurrent(file, kept.get(file)))
  if (missing.length > 0) {
    console.log(`Collecting coverage: ${missing.length} of ${files.length} test files`)
    for (const line of await coverAll(folder, missing)) {
      const reached = Object.fromEntries(filesReached(line).map((file) => [file, mutated.get(file) ?? ""]))
      kept.set(line.file, { hash: hashOf([line.file]), reached, line })
    }
    writeFileSync(path, JSON.stringify([...kept].filter(([file]) => files.includes(file))))
  }
  return files.flatMap((file) => kept.get(file)?.line ?? [])
}

/** The files that define the set of mutants. */
const MUTATIONS = ["scripts/mutate/instrument.ts", "scripts/mutate/mutations.ts", "scripts/mutate/syntax.ts"]

async function coverAll(folder: string, files: readonly string[]): Promise<CoverLine[]> {
  const halves = [0, 1].map((half) => files.filter((_, index) => index % 2 === half)).filter((half) => half.length > 0)
  return (await Promise.all(halves.map((half, index) => cover(folder, `cover-${index + 1}`, half)))).flat()
}

function filesReached({ loading, around, tests }: CoverLine): string[] {
  const ids = [...loading, ...around, ...tests.flatMap(({ reached }) => reached)]
  return [...new Set(ids.map((id) => id.slice(0, id.indexOf("#"))))]
}

export type Plan = { readonly job: MutantJob; readonly ms: number }

type Tests = CoverLine["tests"]
type Run = { readonly file: string; readonly tests: Tests }
type Reaching = { loading: boolean; readonly runs: Run[] }

/** The tests to run for each mutant that a test reaches. */
export function plans(ids: readonly string[], lines: readonly CoverLine[]): Map<string, Plan> {
  const reaching = new Map<string, Reaching>()
  const entry = (id: string) => {
    const known = reaching.get(id) ?? { loading: false, runs: [] }
    reaching.set(id, known)
    return known
  }
  for (const { file, failed, loading, around, tests } of lines) {
    const usable = tests.filter(({ name }) => !failed.includes(name))
    const everywhere = new Set([...loading, ...around])
    for (const id of loading) entry(id).loading = true
    for (const id of everywhere) entry(id).runs.push({ file, tests: usable })
    const byId = new Map<string, Tests>()
    for (const test of usable)
      for (const id of test.reached) if (!everywhere.has(id)) byId.set(id, [...(byId.get(id) ?? []), test])
    for (const [id, some] of byId) entry(id).runs.push({ file, tests: some })
  }
  return new Map(ids.flatMap((id) => (reaching.has(id) ? [[id, planOf(id, entry(id))]] : [])))
}

/** Files of the same folder first, then by duration, and the fastest tests of each, until the time budget is used. */
function planOf(id: string, { loading, runs }: Reaching): Plan {
  const near = (file: string) => (folderOf(file) === folderOf(id) ? 0 : 1)
  const ordered = runs.toSorted(
    (one, other) => near(one.file) - near(other.file) || total(one.tests) - total(other.tests),
  )
  const reach: Reach[] = []
  let ms = 0
  for (const { file, tests } of ordered) {
    const names: string[] = []
    let takes = loading ? LOAD_MS : 0
    for (const { name, ms: own } of tests.toSorted((one, other) => one.ms - other.ms)) {
      if (ms > 0 && ms + takes + own > MOST_MS) break
      takes += own
      names.push(name)
    }
    if (names.length === 0) continue
    ms += takes
    reach.push({ file, tests: names })
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
