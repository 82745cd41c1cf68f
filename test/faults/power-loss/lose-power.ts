/**
 * Simulates a power loss: after a process was killed, reverts what it wrote without fsync. `shim.c` documents what is
 * recorded and how.
 *
 * A disk writes in any order, so every write that was not synced is kept or lost independently. Names are reverted first,
 * newest first; then each file is restored to its last synced state and the surviving writes are replayed.
 */
import { execFile } from "node:child_process"
import { link, open, readdir, readFile, rename, rm, stat, truncate } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Random } from "../random.ts"

const RECORD_BYTES = 40
/** The probability that an unsynced write reached the disk, chosen for each power loss. */
const SURVIVAL = [0, 0.5, 0.9] as const

export type PowerSwitch = {
  /** Environment variables of the process whose disk can lose power. */
  readonly env: Readonly<Record<string, string>>
  /** The process must be dead. Returns how many writes and names were not synced, and how many of them were lost. */
  losePower(random: Random): Promise<PowerLoss>
}

type PowerLoss = { readonly unsynced: number; readonly lost: number }

/** Compiles the shim. Returns a reason if that is not possible. */
export async function compileShim(output: string): Promise<{ readonly missing: string } | undefined> {
  if (process.platform !== "linux") return { missing: "needs Linux: LD_PRELOAD and /proc" }
  const source = join(import.meta.dirname, "shim.c")
  try {
    await promisify(execFile)("cc", ["-shared", "-fPIC", "-O1", "-o", output, source, "-ldl", "-lpthread"])
    return undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { missing: "needs a C compiler" }
    throw error
  }
}

export function powerSwitch(options: {
  readonly shim: string
  readonly folder: string
  readonly journal: string
}): PowerSwitch {
  const { shim, folder, journal } = options
  return {
    env: { LD_PRELOAD: shim, POWER_LOSS_FOLDER: folder, POWER_LOSS_JOURNAL: journal, UV_USE_IO_URING: "0" },
    async losePower(random) {
      const survival = random.pick(SURVIVAL)
      const names = await takeBackNames(journal, () => random.chance(survival))
      const writes = await takeBackWrites(folder, journal, () => random.chance(survival))
      for (const file of await readdir(journal)) await rm(join(journal, file), { force: true })
      return { unsynced: names.unsynced + writes.unsynced, lost: names.lost + writes.lost }
    },
  }
}

/** An unsynced folder keeps its changes up to some point: everything after the first lost change is lost too. */
async function takeBackNames(journal: string, survives: () => boolean): Promise<PowerLoss> {
  const lines: string[] = []
  for (const file of await generations(journal, "d")) lines.push(...(await readFile(file.path, "utf8")).split("\n"))
  const changes = lines.filter((line) => line !== "")
  const kept = changes.findIndex(() => !survives())
  const lost = kept < 0 ? [] : changes.slice(kept)
  for (const line of lost.toReversed()) await takeBackName(journal, line)
  return { unsynced: changes.length, lost: lost.length }
}

async function takeBackName(journal: string, line: string): Promise<void> {
  const [, kind, number = "", path = ""] = /^([cur]) (\d+) (.*)$/.exec(line) ?? []
  const kept = join(journal, `k-${number}`)
  if (kind === "c") {
    const found = await stat(path).catch(() => undefined)
    if (found?.ino === Number(number)) await rm(path)
    return
  }
  if (kind === "u") return await link(kept, path)
  const [from = "", to = ""] = path.split(" > ")
  await rename(to, from)
  if (number !== "0") await link(kept, to)
}

type WriteRecord = {
  readonly offset: number
  readonly sizeBefore: number
  readonly sizeAfter: number
  readonly old: Buffer
  readonly fresh: Buffer
}

async function takeBackWrites(folder: string, journal: string, survives: () => boolean): Promise<PowerLoss> {
  const paths = await pathsByInode(folder)
  const records = new Map<number, WriteRecord[]>()
  for (const { inode, path } of await generations(journal, "f"))
    records.set(inode, [...(records.get(inode) ?? []), ...parseRecords(await readFile(path))])
  let [unsynced, lost] = [0, 0]
  for (const [inode, list] of records) {
    const path = paths.get(inode)
    // Its name is gone permanently, or was never synced.
    if (path === undefined) continue
    const kept = list.filter(() => survives())
    await putBack(path, list, kept)
    unsynced += list.length
    lost += list.length - kept.length
  }
  return { unsynced, lost }
}

async function putBack(path: string, all: readonly WriteRecord[], kept: readonly WriteRecord[]): Promise<void> {
  const file = await open(path, "r+")
  try {
    for (const { offset, sizeBefore, old } of all.toReversed()) {
      await file.truncate(sizeBefore)
      if (old.length > 0) await file.write(old, 0, old.length, offset)
    }
    for (const { offset, sizeAfter, fresh } of kept)
      if (fresh.length > 0) await file.write(fresh, 0, fresh.length, offset)
      else await truncate(path, sizeAfter)
  } finally {
    await file.close()
  }
}

function parseRecords(bytes: Buffer): WriteRecord[] {
  const records: WriteRecord[] = []
  for (let at = 0; at + RECORD_BYTES <= bytes.length; ) {
    const [offset = 0, sizeBefore = 0, sizeAfter = 0, oldLength = 0, freshLength = 0] = Array.from(
      { length: 5 },
      (_, i) => Number(bytes.readBigUInt64LE(at + 8 * i)),
    )
    const oldAt = at + RECORD_BYTES
    const freshAt = oldAt + oldLength
    at = freshAt + freshLength
    // The kill interrupted the recording, so the write itself never happened.
    if (at > bytes.length) break
    records.push({
      offset,
      sizeBefore,
      sizeAfter,
      old: bytes.subarray(oldAt, freshAt),
      fresh: bytes.subarray(freshAt, at),
    })
  }
  return records
}

type Generation = { readonly path: string; readonly inode: number; readonly generation: bigint }

async function generations(journal: string, kind: "d" | "f"): Promise<Generation[]> {
  const found = (await readdir(journal)).flatMap((name): Generation[] => {
    const [, inode, generation] = new RegExp(`^${kind}-(\\d+)-(\\d+)$`).exec(name) ?? []
    if (inode === undefined || generation === undefined) return []
    return [{ path: join(journal, name), inode: Number(inode), generation: BigInt(generation) }]
  })
  return found.sort((a, b) => (a.generation < b.generation ? -1 : 1))
}

async function pathsByInode(folder: string): Promise<Map<number, string>> {
  const paths = new Map<number, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    paths.set((await stat(path)).ino, path)
  }
  return paths
}
