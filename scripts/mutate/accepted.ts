/** Equivalent mutants, which no test could catch, each with its reason. They are excluded from the score. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import type { Mutant } from "./instrument.ts"
import { root } from "./scope.ts"

const Accepted = z.strictObject({
  file: z.string(),
  was: z.string(),
  now: z.string(),
  /** Text of its line, for files that have the same code twice. */
  in: z.string().optional(),
  reason: z.string().min(10),
})
type Accepted = z.infer<typeof Accepted>

export type Acceptance = {
  readonly accepts: (mutant: Mutant) => boolean
  /** Entries that match no mutant of the given files. */
  readonly stale: (mutants: readonly Mutant[], files: ReadonlySet<string>) => string[]
}

export function acceptance(): Acceptance {
  const list = z.array(Accepted).parse(JSON.parse(readFileSync(join(root, "scripts/mutate/accepted.json"), "utf8")))
  return {
    accepts: (mutant) => list.some((entry) => isAbout(entry, mutant)),
    stale: (mutants, files) =>
      list
        .filter((entry) => files.has(entry.file) && !mutants.some((mutant) => isAbout(entry, mutant)))
        .map(({ file, was, now }) => `${file}: ${was} → ${now}`),
  }
}

function isAbout(entry: Accepted, mutant: Mutant): boolean {
  if (entry.file !== mutant.file || entry.was !== mutant.was || entry.now !== mutant.now) return false
  return entry.in === undefined || lineOf(mutant).includes(entry.in)
}

function lineOf({ file, line }: Mutant): string {
  return readFileSync(join(root, file), "utf8").split("\n")[line - 1] ?? ""
}
