/** Mutants killed in earlier runs. `--missed` runs only the others, as long as their files are unchanged. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Outcome } from "./process.ts"
import { root } from "./scope.ts"

type Entry = Outcome & { readonly hash: string }

export class Known {
  readonly #path: string
  readonly #entries: Map<string, Entry>
  readonly #hashes = new Map<string, string>()

  constructor(folder: string) {
    this.#path = join(folder, "noticed.json")
    const kept: [string, Entry][] = existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, "utf8")) : []
    this.#entries = new Map(kept)
  }

  /** How it was killed; undefined if it was not, or if its file changed since. */
  noticed(id: string): Outcome | undefined {
    const entry = this.#entries.get(id)
    return entry?.hash === this.#hashOf(id) ? entry : undefined
  }

  note(id: string, outcome: Outcome): void {
    const isNoticed = outcome.outcome === "killed" || outcome.outcome === "timeout"
    if (isNoticed) this.#entries.set(id, { outcome: outcome.outcome, by: outcome.by, hash: this.#hashOf(id) })
    else this.#entries.delete(id)
  }

  save(): void {
    writeFileSync(this.#path, JSON.stringify([...this.#entries]))
  }

  #hashOf(id: string): string {
    const file = id.slice(0, id.indexOf("#"))
    const known = this.#hashes.get(file)
    if (known !== undefined) return known
    const made = createHash("sha256")
      .update(readFileSync(join(root, file)))
      .digest("hex")
    this.#hashes.set(file, made)
    return made
  }
}
