/** The score per folder, and the surviving mutants. */
import type { Mutant } from "./instrument.ts"
import { FOLDERS, folderOf } from "./scope.ts"

export type Verdict = {
  readonly mutant: Mutant
  readonly verdict: "killed" | "timeout" | "survived" | "unreached" | "unsure" | "accepted"
  readonly by?: string | undefined
}

/** The share of counted mutants that must be killed. */
const WANTED = 0.85

/** Whether the total score is high enough. */
export function report(verdicts: readonly Verdict[]): boolean {
  for (const { mutant, verdict } of verdicts.filter(isMissed))
    console.log(`${verdict.padEnd(9)} ${mutant.file}:${mutant.line}  ${mutant.was}  →  ${mutant.now}`)
  console.log("")
  const heads = ["score", "killed", "timeout", "survived", "unreached", "unsure", "accepted"]
  console.log(`${heads.map((head) => head.padStart(9)).join(" ")}  folder`)
  for (const folder of FOLDERS) {
    const own = verdicts.filter(({ mutant }) => folderOf(mutant.file) === folder)
    if (own.length > 0) console.log(`${rowOf(own)}  ${folder}`)
  }
  console.log(`${rowOf(verdicts)}  all`)
  return scoreOf(verdicts) >= WANTED
}

function rowOf(verdicts: readonly Verdict[]): string {
  const count = (wanted: Verdict["verdict"]) => String(verdicts.filter(({ verdict }) => verdict === wanted).length)
  const columns = (["killed", "timeout", "survived", "unreached", "unsure", "accepted"] as const).map(count)
  return [`${(100 * scoreOf(verdicts)).toFixed(1)} %`, ...columns].map((column) => column.padStart(9)).join(" ")
}

function scoreOf(verdicts: readonly Verdict[]): number {
  const counted = verdicts.filter(({ verdict }) => verdict !== "accepted")
  return counted.length === 0 ? 1 : counted.filter((verdict) => !isMissed(verdict)).length / counted.length
}

function isMissed({ verdict }: Verdict): boolean {
  return verdict === "survived" || verdict === "unreached" || verdict === "unsure"
}
