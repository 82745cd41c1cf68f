/**
 * Runs tests repeatedly in one process: modules stay loaded, test files are reloaded, and one mutant at a time is
 * active. Vitest starts it with a dummy test file; the real work begins after that file has run.
 */
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type File, type Suite, startTests, type Task, type Test } from "@vitest/runner"
import { TestRunner, vi } from "vitest"
import { type CoverLine, JOB_VARIABLE, type Job, type KillLine, type MutantJob } from "./job.ts"
import { root } from "./scope.ts"

/** The mutated code calls `__mutate__` at each mutant it reaches. */
let active: string | undefined
let reached = new Set<string>()
let noting = false
Object.assign(globalThis, {
  __mutate__: (id: string) => {
    if (noting) reached.add(id)
    return id === active
  },
})

type Run = { readonly failed: readonly string[]; readonly cover: CoverLine }
type RunOptions = { readonly tests?: readonly string[] | "all"; readonly stopAtFailure?: boolean }

export default class Mutating extends TestRunner {
  override async onAfterRunFiles(): Promise<void> {
    super.onAfterRunFiles()
    const job = JSON.parse(readFileSync(process.env[JOB_VARIABLE] ?? "", "utf8")) as Job
    const run = (file: string, options: RunOptions) => runFile(this, file, options)
    if (job.kind === "cover") await cover(job.files, job.out, run)
    else await kill(job.mutants, job.out, run)
  }
}

type RunFile = (file: string, options: RunOptions) => Promise<Run>

async function cover(files: readonly string[], out: string, run: RunFile): Promise<void> {
  for (const file of files) {
    vi.resetModules()
    noting = true
    const { cover } = await run(file, {})
    noting = false
    appendFileSync(out, `${JSON.stringify(cover)}\n`)
  }
}

/** Stops early if a test fails without a mutant: leftovers of an earlier mutant interfere with it. */
async function kill(mutants: readonly MutantJob[], out: string, run: RunFile): Promise<void> {
  const trusted = new Map<string, boolean>()
  for (const mutant of mutants) {
    const say = (line: Omit<KillLine, "id">) => appendFileSync(out, `${JSON.stringify({ id: mutant.id, ...line })}\n`)
    say({ outcome: "begun" })
    const by = await firstFailure(mutant, run)
    if (by && !trusted.has(by.test)) {
      if (mutant.loading) vi.resetModules()
      trusted.set(by.test, (await run(by.reach.file, { tests: [by.test] })).failed.length === 0)
    }
    if (!by) say({ outcome: "survived" })
    else if (trusted.get(by.test)) say({ outcome: "killed", by: by.test })
    else return say({ outcome: "unsure", by: by.test })
  }
}

async function firstFailure(mutant: MutantJob, run: RunFile) {
  for (const reach of mutant.reach) {
    if (mutant.loading) vi.resetModules()
    active = mutant.id
    const { failed } = await run(reach.file, { tests: reach.tests, stopAtFailure: true })
    active = undefined
    const [test] = failed
    if (test !== undefined) return { test, reach }
  }
  return undefined
}

async function runFile(outer: Mutating, file: string, options: RunOptions): Promise<Run> {
  const inner = new OneFile(outer, options)
  const path = join(root, file)
  reached = inner.loading
  const files = await startTests([{ filepath: path }] as never, inner as never)
  vi.resetConfig()
  vi.restoreAllMocks()
  const failed = [...inner.failed, ...files.filter(isBroken).map(() => file)]
  return {
    failed,
    cover: { file, failed, loading: [...inner.loading], around: [...inner.around], tests: inner.covered() },
  }
}

/** The file itself failed: it did not load, or a hook failed. */
function isBroken(file: File): boolean {
  return (
    (file.result?.errors?.length ?? 0) > 0 || suitesOf(file).some((suite) => (suite.result?.errors?.length ?? 0) > 0)
  )
}

function suitesOf(suite: Suite): Suite[] {
  return suite.tasks.flatMap((task) => (task.type === "suite" ? [task, ...suitesOf(task)] : []))
}

type Inside = { moduleRunner: unknown; _otel: never; workerState: WorkerState; __setTraces(traces: never): void }
type WorkerState = {
  readonly evaluatedModules: { getModuleById(id: string): unknown; invalidateModule(module: unknown): void }
}

class OneFile extends TestRunner {
  readonly failed: string[] = []
  readonly loading = new Set<string>()
  readonly around = new Set<string>()
  readonly #reached = new Map<string, { ms: number; reached: Set<string> }>()
  readonly #wanted: ReadonlySet<string> | undefined
  readonly #stopAtFailure: boolean

  constructor(outer: Mutating, { tests = "all", stopAtFailure = false }: RunOptions) {
    super(outer.config)
    this.#wanted = tests === "all" ? undefined : new Set(tests)
    this.#stopAtFailure = stopAtFailure
    const inside = outer as unknown as Inside
    Object.defineProperty(this, "moduleRunner", { value: inside.moduleRunner })
    this.inside().__setTraces(inside._otel)
  }

  covered(): CoverLine["tests"] {
    return [...this.#reached].map(([name, { ms, reached }]) => ({ name, ms: Math.round(ms), reached: [...reached] }))
  }

  override importFile(...[path, source]: Parameters<TestRunner["importFile"]>): unknown {
    const modules = this.inside().workerState.evaluatedModules
    const module = modules.getModuleById(path)
    if (module) modules.invalidateModule(module)
    return super.importFile(path, source)
  }

  onBeforeRunFiles(): void {
    reached = this.around
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    await super.onBeforeRunTask(test)
    const name = nameOf(test)
    const stopped = this.#stopAtFailure && this.failed.length > 0
    if (stopped || (this.#wanted && !this.#wanted.has(name))) test.mode = "skip"
    if (test.mode === "skip") return
    const own = new Set<string>()
    this.#reached.set(name, { ms: performance.now(), reached: own })
    reached = own
  }

  override onAfterRunTask(test: Test): void {
    super.onAfterRunTask(test)
    reached = this.around
    const name = nameOf(test)
    const own = this.#reached.get(name)
    if (own) own.ms = performance.now() - own.ms
    if (test.result?.state === "fail") this.failed.push(name)
  }

  inside(): Inside {
    return this as unknown as Inside
  }
}

function nameOf(task: Task): string {
  return task.suite ? `${nameOf(task.suite)} > ${task.name}` : task.name
}
