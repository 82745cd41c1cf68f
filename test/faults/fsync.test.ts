/**
 * The server is killed at its Nth fsync, for many N: each is a moment at which something is partly written.
 * PARLOR_LONG=1 tests every N.
 */

import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqlite } from "@parlor/store"
import { afterEach, beforeEach, expect, test } from "vitest"
import { isLong } from "../support/rounds.ts"
import { Comparison, checkOutput, isAtRest } from "./comparison.ts"
import { Crowd } from "./crowd.ts"
import { type FakeModel, startFakeModel } from "./fake-model.ts"
import { seededRandom } from "./random.ts"
import { type ServerProcess, spawnServer } from "./server-process.ts"
import { storeRows } from "./store-rows.ts"
import { sleep, until } from "./waiting.ts"
import { make, readLog, type SendInput } from "./wire.ts"

const TALK = "host/topic"
const SAMPLES = 10
const REST_MS = 30_000
const SCENARIO_MS = 20_000
const TOKEN_MS = 3
/** A broken connection is detected before the exit of the process. */
const GONE_MS = 300
const CALLS = "fdatasync,fsync"

let folders: string[]
let model: FakeModel
let running: ServerProcess | undefined

beforeEach(async () => {
  folders = []
  model = await startFakeModel({ tokenMs: TOKEN_MS })
})

afterEach(async () => {
  await running?.kill()
  await model.close()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

test("[LOG-3, LOG-4, LOG-5] nothing is lost when the server dies while it waits for the disk", {
  timeout: isLong ? 3_600_000 : 180_000,
}, async ({ skip }) => {
  const why = whyNoStrace()
  if (why !== undefined) return skip(`strace cannot be used here: ${why}`)
  const waits = await countWaits()
  const every = isLong ? 1 : Math.max(1, waits / SAMPLES)
  let killed = 0
  let tried = 0
  for (let n = 1; n <= waits; n += every) {
    tried += 1
    if (await dieAt(Math.floor(n))) killed += 1
  }
  console.info(`killed at ${killed} of ${tried} moments; an undisturbed run waits ${waits} times for the disk`)
  expect(killed).toBeGreaterThan(tried * 0.6)
})

/** The number of fsync calls of an undisturbed run, in the writing thread. */
async function countWaits(): Promise<number> {
  const folder = await newFolder()
  const trace = join(folder, "trace")
  running = spawnServer({
    dataFolder: folder,
    modelUrl: model.url,
    under: ["strace", "-f", "-qq", "-e", `trace=${CALLS}`, "-o", trace],
  })
  const crowd = new Crowd(seededRandom(1))
  await scenario(await running.ready, crowd)
  await running.kill()
  const perThread = new Map<string, number>()
  for (const line of (await readFile(trace, "utf8")).split("\n")) {
    const [call = ""] = /^\d+\s+f(?:data)?sync(?=\()/.exec(line) ?? []
    if (call !== "") perThread.set(call, (perThread.get(call) ?? 0) + 1)
  }
  return Math.max(...perThread.values())
}

/** Returns true if the server died there; a faster run may have fewer calls. */
async function dieAt(n: number): Promise<boolean> {
  const folder = await newFolder()
  const server = spawnServer({
    dataFolder: folder,
    modelUrl: model.url,
    // Without --seccomp-bpf, which does not count calls.
    under: [
      "strace",
      "-f",
      "-qq",
      "-o",
      "/dev/null",
      "-e",
      `trace=${CALLS}`,
      "-e",
      `inject=${CALLS}:signal=SIGKILL:when=${n}`,
    ],
  })
  running = server
  const crowd = new Crowd(seededRandom(n))
  const url = await server.ready.catch(() => undefined)
  if (url !== undefined) await scenario(url, crowd)
  const isDead = await Promise.race([server.ended.then(() => true), sleep(GONE_MS).then(() => false)])
  await server.kill()
  await expectWhole(folder, crowd, `after death at ${n}`)
  return isDead
}

/** A few messages, one of them repeated, a queue, and a reader, until all are answered or the server is dead. */
async function scenario(url: string, crowd: Crowd): Promise<void> {
  const over = new AbortController()
  await make(url, TALK)
  const reading = crowd.follow(url, [TALK], over.signal)
  const send = (text: string, mode: SendInput["mode"]) => crowd.send(url, TALK, { text, key: text, mode })
  try {
    await send("one", "immediate")
    await send("two", "queued")
    await send("two", "queued")
    await until(SCENARIO_MS, "two answers", async () => {
      const log = await readLog(url, TALK, 0).catch(() => undefined)
      return log === undefined || log.filter(({ event }) => event.type === "turns" && event.value.endedAt).length === 2
    })
  } finally {
    over.abort()
    await reading
  }
}

async function expectWhole(folder: string, crowd: Crowd, where: string): Promise<void> {
  const server = spawnServer({ dataFolder: folder, modelUrl: model.url })
  running = server
  const url = await server.ready
  const comparison = new Comparison(crowd.history, model)
  await make(url, TALK)
  await comparison.compare(url, where)
  await crowd.settle(url)
  await until(REST_MS, "rest", () => isAtRest(url, comparison, crowd))
  await comparison.compareAtRest(url)
  expect(await server.stop()).toBe(0)
  checkOutput(server)
  await comparison.compareStore((name) => storeRows(() => openSqlite({ path: join(folder, "parlor.db") }), name))
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-fsync-"))
  folders.push(folder)
  return folder
}

function whyNoStrace(): string | undefined {
  try {
    execFileSync("strace", ["-qq", "-f", "-e", "trace=fsync", "-o", "/dev/null", "true"], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 10_000,
    })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
