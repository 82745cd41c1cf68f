/**
 * A server that is killed cannot end the agents it started. Their process ids are in a file, and the next start ends
 * those that still run (HST-13). A process id may have been reused: the time at which the process started tells.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { signalGroup } from "./processes.ts"

export class Orphans {
  readonly #file: string | undefined
  readonly #running = new Map<number, string>()

  constructor(file: string | undefined) {
    this.#file = file
  }

  /** Ends what an earlier server left. */
  async end(): Promise<number> {
    let ended = 0
    for (const [pid, startedAt] of this.#read()) {
      if (startedAt === "" || (await startOf(pid)) !== startedAt) continue
      signalGroup(pid, "SIGKILL")
      ended += 1
    }
    this.#write()
    return ended
  }

  async add(pid: number): Promise<void> {
    this.#running.set(pid, await startOf(pid))
    this.#write()
  }

  remove(pid: number): void {
    if (this.#running.delete(pid)) this.#write()
  }

  #read(): readonly (readonly [number, string])[] {
    if (this.#file === undefined) return []
    try {
      const rows: unknown = JSON.parse(readFileSync(this.#file, "utf8"))
      return Array.isArray(rows) ? rows.filter(isRow) : []
    } catch {
      return []
    }
  }

  #write(): void {
    if (this.#file === undefined) return
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify([...this.#running]), { mode: 0o600 })
      renameSync(`${this.#file}.new`, this.#file)
    } catch {
      // A full disk must not end anyone's turn.
    }
  }
}

function isRow(row: unknown): row is readonly [number, string] {
  return Array.isArray(row) && Number.isSafeInteger(row[0]) && row[0] > 1 && typeof row[1] === "string"
}

/** In clock ticks since the machine started, on Linux; empty where that is not known, and then nothing is ended. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  // The name of the program is in parentheses and may contain spaces.
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return stat === "" ? "" : `${boot.trim()} ${fields[19] ?? ""}`
}
