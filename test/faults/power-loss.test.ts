/**
 * The machine loses power while clients send, stop and read: the server is killed, and what it had written without
 * fsync is lost, each write independently. Everything that a client was told must still be true afterwards.
 *
 * 20 power losses, 200 with PARLOR_LONG=1. PARLOR_SEED replays what the clients do, when power is lost and which writes
 * survive.
 */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqlite } from "@parlor/store"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { rounds } from "../support/rounds.ts"
import { startFakeModel } from "./fake-model.ts"
import { killRun } from "./kill-run.ts"
import { compileShim, type PowerSwitch, powerSwitch } from "./power-loss/lose-power.ts"
import { chooseSeed, type Random, seededRandom } from "./random.ts"
import { storeRows } from "./store-rows.ts"

const LOSSES = rounds({ usual: 20, long: 200 })
const TIMEOUT_MS = 120_000 + LOSSES * 6_000
const TOKEN_MS = 14

const place = await mkdtemp(join(tmpdir(), "parlor-power-"))
const shim = join(place, "shim.so")
const { missing } = (await compileShim(shim)) ?? {}

afterAll(() => rm(place, { recursive: true, force: true }))

describe.skipIf(missing !== undefined)(`a disk that loses power${missing === undefined ? "" : ` (${missing})`}`, () => {
  test(`[LOG-1, LOG-3, LOG-4, LOG-5, LOG-6, QUE-11, QUE-14, TRN-7] nothing acknowledged or shown is lost in ${LOSSES} power losses`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { folder, power } = await newDisk("server")
    const random = seededRandom(chooseSeed("power losses"))
    const model = await startFakeModel({ tokenMs: TOKEN_MS })
    const losses = { unsynced: 0, lost: 0, withLoss: 0 }
    try {
      const run = await killRun({
        rounds: LOSSES,
        random,
        model,
        server: { dataFolder: folder, env: power.env },
        groups: [["host/main", "host/topic", "critic/main"]],
        rowsInStore: (conversation) => storeRows(() => openSqlite({ path: join(folder, "parlor.db") }), conversation),
        afterKill: async () => {
          const { unsynced, lost } = await power.losePower(random)
          losses.unsynced += unsynced
          losses.lost += lost
          losses.withLoss += lost > 0 ? 1 : 0
        },
      })
      console.info(`power: ${JSON.stringify({ ...run, ...losses })}`)
      expect(run.ok / run.attempts).toBeGreaterThan(0.5)
      // Guards against runs in which nothing was lost.
      expect(losses.withLoss).toBeGreaterThan(LOSSES / 4)
    } finally {
      await model.close()
    }
  })

  describe("takes back what was not synced, and only that", () => {
    let always: Random
    beforeAll(() => {
      const none = seededRandom(1)
      always = { ...none, pick: (list) => list[0], chance: () => false }
    })

    test("a write", async () => {
      const { folder, power } = await newDisk("write")
      await write(
        power,
        folder,
        `const kept = fs.openSync("kept", "w"); fs.writeSync(kept, "kept"); fs.fsyncSync(kept); syncFolder()
         fs.writeSync(kept, " lost"); fs.writeSync(kept, "KE", 0); fs.ftruncateSync(kept, 3)`,
      )
      expect(await power.losePower(always)).toEqual({ unsynced: 3, lost: 3 })
      expect(await readFile(join(folder, "kept"), "utf8")).toBe("kept")
    })

    test("names: created, renamed over, deleted", async () => {
      const { folder, power } = await newDisk("names")
      await write(
        power,
        folder,
        `for (const name of ["a", "b", "c"]) { const fd = fs.openSync(name, "w"); fs.writeSync(fd, name); fs.fsyncSync(fd) }
         syncFolder()
         fs.renameSync("a", "b"); fs.unlinkSync("c"); fs.writeFileSync("d", "new")`,
      )
      await power.losePower(always)
      expect((await readdir(folder)).sort()).toEqual(["a", "b", "c"])
      for (const name of ["a", "b", "c"]) expect(await readFile(join(folder, name), "utf8")).toBe(name)
    })

    test("nothing of what was synced", async () => {
      const { folder, power } = await newDisk("synced")
      await write(
        power,
        folder,
        `const fd = fs.openSync("a.tmp", "w"); fs.writeSync(fd, "one"); fs.writevSync(fd, [Buffer.from(" two")])
         fs.fdatasyncSync(fd); fs.renameSync("a.tmp", "a"); syncFolder()`,
      )
      expect(await power.losePower(always)).toEqual({ unsynced: 0, lost: 0 })
      expect(await readFile(join(folder, "a"), "utf8")).toBe("one two")
    })
  })
})

async function newDisk(name: string): Promise<{ readonly folder: string; readonly power: PowerSwitch }> {
  const [folder, journal] = [join(place, name), join(place, `${name}-journal`)]
  for (const path of [folder, journal]) await mkdir(path)
  return { folder, power: powerSwitch({ shim, folder, journal }) }
}

/** Runs a short program on the disk and kills its process when it is done. */
async function write(power: PowerSwitch, folder: string, lines: string): Promise<void> {
  const code = `const fs = require("node:fs")
    const syncFolder = () => { const fd = fs.openSync(".", "r"); fs.fsyncSync(fd); fs.closeSync(fd) }
    ${lines}
    process.kill(process.pid, "SIGKILL")`
  const child = spawn(process.execPath, ["-e", code], { cwd: folder, env: power.env, stdio: "inherit" })
  const [, signal] = await once(child, "exit")
  expect(signal).toBe("SIGKILL")
}
