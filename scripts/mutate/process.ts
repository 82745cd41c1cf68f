/** Starts Vitest on a job, follows its output file and kills it when a mutant makes no progress. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { setPriority } from "node:os"
import { join } from "node:path"
import { type CoverLine, JOB_VARIABLE, type Job, type KillLine, type MutantJob } from "./job.ts"
import { root } from "./scope.ts"

const LOOK_MS = 250
const START_MS = 120_000
const COVER_MS = 20 * 60_000
/** Added to five times the normal duration of a mutant's tests: a test times out after 6 seconds. */
const PATIENCE_MS = 14_000
/** Mutants may leave work running in the background; a new process gets rid of it. */
const MUTANTS_PER_PROCESS = 60
const LOW_PRIORITY = 10

export type Outcome = { readonly outcome: KillLine["outcome"] | "timeout"; readonly by?: string | undefined }

export async function cover(folder: string, name: string, files: readonly string[]): Promise<CoverLine[]> {
  const out = join(folder, `${name}.out`)
  const { done, stop } = begin(folder, name, { kind: "cover", files, out })
  const timer = setTimeout(stop, COVER_MS)
  const said = await done
  clearTimeout(timer)
  const lines = linesOf<CoverLine>(out)
  if (lines.length < files.length) throw new Error(`Only ${lines.length} of ${files.length} test files ran.\n${said}`)
  return lines
}

/** Runs mutants from the shared list until it is empty, possibly in parallel. Uncertain results are retried once. */
export async function killAll(
  folder: string,
  name: string,
  left: MutantJob[],
  allowed: (mutant: MutantJob) => number,
  tell: (id: string, outcome: Outcome) => void,
): Promise<void> {
  const again = new Set<string>()
  const told = (mutant: MutantJob, outcome: Outcome) => {
    if (outcome.outcome !== "unsure" || again.has(mutant.id)) return tell(mutant.id, outcome)
    again.add(mutant.id)
    left.push(mutant)
  }
  while (left.length > 0) {
    const taken = left.splice(0, Math.min(MUTANTS_PER_PROCESS, Math.ceil(left.length / 2)))
    const settled = await killSome(folder, name, taken, allowed, told)
    const rest = taken.slice(settled)
    if (settled === 0) throw new Error(`Vitest did not start on ${rest[0]?.id}.`)
    left.unshift(...rest)
  }
}

async function killSome(
  folder: string,
  name: string,
  mutants: readonly MutantJob[],
  allowed: (mutant: MutantJob) => number,
  tell: (mutant: MutantJob, outcome: Outcome) => void,
): Promise<number> {
  const out = join(folder, `${name}.out`)
  const running = begin(folder, name, { kind: "kill", mutants, out })
  let told = 0
  let since = Date.now()
  let seen = 0
  const tellOf = (mutant: MutantJob | undefined, outcome: Outcome) => mutant && tell(mutant, outcome)
  const look = () => {
    const lines = linesOf<KillLine>(out)
    if (lines.length > seen) since = Date.now()
    seen = lines.length
    const settled = lines.filter((line) => line.outcome !== "begun")
    for (const [index, line] of settled.slice(told).entries()) tellOf(mutants[told + index], line)
    told = settled.length
    return lines
  }
  const timer = setInterval(() => {
    const lines = look()
    const mutant = mutants[told]
    const most = lines.length === 0 ? START_MS : PATIENCE_MS + 5 * (mutant ? allowed(mutant) : 0)
    if (Date.now() - since > most) running.stop()
  }, LOOK_MS)
  await running.done
  clearInterval(timer)
  const lines = look()
  const stuck = lines.at(-1)
  if (stuck?.outcome !== "begun") return told
  tellOf(mutants[told], { outcome: "timeout" })
  return told + 1
}

function begin(folder: string, name: string, job: Job): { readonly done: Promise<string>; stop(): void } {
  const path = join(folder, `${name}.json`)
  writeFileSync(path, JSON.stringify(job))
  rmSync(job.out, { force: true })
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
  const child = spawn(process.execPath, [vitest, "run", "--config", "scripts/mutate/vitest.config.ts"], {
    cwd: root,
    env: { ...process.env, [JOB_VARIABLE]: path },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  })
  if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY)
  return { done: heard(child), stop: () => stopGroup(child) }
}

function heard(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let said = ""
    const take = (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-4_000)
    }
    child.stdout?.on("data", take)
    child.stderr?.on("data", take)
    child.on("error", (error) => resolve(String(error)))
    child.on("close", () => resolve(said))
  })
}

function stopGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
  } catch {
    // It has already exited.
  }
}

function linesOf<Line>(out: string): Line[] {
  if (!existsSync(out)) return []
  const whole = readFileSync(out, "utf8").split("\n").slice(0, -1)
  return whole.map((line) => JSON.parse(line) as Line)
}
