/**
 * Watches what a running command uses, for limits that no process limit covers: the number of its processes, their
 * memory together, and what it wrote. Looks several times a second, so a command may exceed a limit for a moment.
 */
import { readdir, readFile } from "node:fs/promises"
import type { SandboxEnd, SandboxLimits } from "@parlor/core"
import { diskUse } from "./copy.ts"

const LOOK_MS = 100
/** Walking a folder costs more: every so many looks. */
const DISK_LOOKS = 5
const MAX_ENTRIES = 60_000
const PAGE_BYTES = 4096

export type Watched = {
  /** The first process of the command, as the machine numbers it; undefined if it is not known yet. */
  readonly first: () => number | undefined
  readonly copy: string
  readonly limits: SandboxLimits
  readonly exceeded: (end: SandboxEnd) => void
}

/** Returns a function that stops it. */
export function watchUse({ first, copy, limits, exceeded }: Watched): () => void {
  let isOver = false
  const check = async (look: number): Promise<SandboxEnd | undefined> => {
    const pid = first()
    const use = pid === undefined ? undefined : await processUse(pid, limits.processes)
    if (use !== undefined && use.processes > limits.processes) return "processes"
    if (use !== undefined && use.bytes > limits.memoryBytes) return "memory"
    if (look % DISK_LOOKS !== 0) return undefined
    const disk = await diskUse(copy)
    return disk.bytes > limits.diskBytes || disk.entries > MAX_ENTRIES ? "disk" : undefined
  }
  const loop = async () => {
    for (let look = 1; !isOver; look++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      const end = isOver ? undefined : await check(look).catch(() => undefined)
      if (end !== undefined && !isOver) exceeded(end)
    }
  }
  void loop()
  return () => {
    isOver = true
  }
}

/** Through the command's own view of its processes. */
async function processUse(
  pid: number,
  most: number,
): Promise<{ readonly processes: number; readonly bytes: number } | undefined> {
  const place = `/proc/${pid}/root/proc`
  const pids = (await readdir(place).catch(() => [])).filter((name) => /^\d+$/.test(name))
  if (pids.length === 0) return undefined
  if (pids.length > most) return { processes: pids.length, bytes: 0 }
  const sizes = await Promise.all(pids.map((name) => readFile(`${place}/${name}/statm`, "utf8").catch(() => "")))
  const bytes = sizes.reduce((sum, line) => sum + ownBytes(line), 0)
  return { processes: pids.length, bytes }
}

/** What is resident and not shared with a file. */
function ownBytes(line: string): number {
  const [, resident = 0, shared = 0] = line.split(" ").map(Number)
  return Math.max(0, resident - shared) * PAGE_BYTES
}
