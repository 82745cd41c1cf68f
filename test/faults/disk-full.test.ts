/** The disk is full: writes are refused clearly, reads continue, and the service recovers automatically when there is space. */
import { execFileSync } from "node:child_process"
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { says } from "@parlor/core/testing"
import { afterEach, beforeEach, expect, test } from "vitest"
import { checkHistory } from "./check-history.ts"
import { checkLog, checkRest } from "./check-log.ts"
import { checkRows, rowsOfState } from "./check-rows.ts"
import { startFakeModel } from "./fake-model.ts"
import { History, type Sending } from "./history.ts"
import { startInProcess } from "./in-process.ts"
import { spawnServer } from "./server-process.ts"
import { until } from "./waiting.ts"
import { ask, type Conversation, credential, get, pathOf, readLog, readState, send } from "./wire.ts"

const MB = 1024 * 1024
const DISK_MB = 8
/** Free space left to the server until the filler is removed. */
const LEFT_MB = 1.5
const MESSAGE_LENGTH = 60_000
const FILLER_LENGTH = 100_000
const MAX_SENDS = 200
const MAX_PAGES = 1_000
const BACK_MS = 10_000
const REST_MS = 60_000
const TALK = "host/main"
const FILLER = "host/filler"

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlor-full-"))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Sends until one is refused for lack of space, and returns that response. */
async function fillUp(url: string, conversation: Conversation, length: number, history: History): Promise<Sending> {
  for (let number = 1; number <= MAX_SENDS; number++) {
    const input = { text: `${number} ${"x".repeat(length)}`, key: `key-${length}-${number}`, mode: "queued" } as const
    const sending: Sending = { conversation, input, answers: [] }
    history.sends.push(sending)
    const answer = await send(url, conversation, input)
    sending.answers.push(answer)
    if (answer.outcome !== "ok") return sending
  }
  throw new Error(`${MAX_SENDS} messages did not fill the disk`)
}

async function expectFull(url: string, history: History, refused: Sending): Promise<void> {
  expect(refused.answers[0]).toMatchObject({ outcome: "refused", status: 503, code: "store.unavailable" })
  expect(refused.answers[0]).toHaveProperty("retryAfter", expect.stringMatching(/^\d+$/))
  const log = await readLog(url, TALK, 0)
  expect([...checkLog(log), ...checkHistory(history, TALK, log)]).toEqual([])
  expect(log.some((raw) => raw.text.includes(`"source":"${refused.input.text}"`))).toBe(false)
  expect(await (await get(`${url}${pathOf(TALK)}`)).json()).toMatchObject({ agent: "host" })
}

async function expectBack(url: string, history: History, refused: Sending, tick: () => Promise<void>): Promise<void> {
  await until(BACK_MS, "an accepted send", async () => {
    await tick()
    refused.answers.push(await send(url, TALK, refused.input))
    return refused.answers.at(-1)?.outcome === "ok"
  })
  await until(REST_MS, "rest", async () => {
    await tick()
    return checkRest(await readLog(url, TALK, 0)).length === 0
  })
  const log = await readLog(url, TALK, 0)
  expect([...checkLog(log), ...checkHistory(history, TALK, log)]).toEqual([])
  expect(checkRows(log, rowsOfState((await readState(url, TALK)).rows))).toEqual([])
}

test("[LOG-4, LOG-12] a full disk refuses sends with 503, serves reads, and is no trouble once it has room", {
  timeout: 120_000,
}, async ({ skip }) => {
  const disk = mountDisk(folder)
  if (disk === undefined) return skip(`no small disk can be mounted here (it takes root): see the next test`)
  const model = await startFakeModel({ tokenMs: 2 })
  const server = spawnServer({ dataFolder: folder, modelUrl: model.url })
  try {
    const url = await server.ready
    const { bavail, bsize } = await statfs(folder)
    const filler = join(folder, "filler")
    await writeFile(filler, Buffer.alloc(bavail * bsize - LEFT_MB * MB))
    const history = new History()
    const refused = await fillUp(url, TALK, MESSAGE_LENGTH, history)
    expect(history.sends.length).toBeGreaterThan(3)
    await expectFull(url, history, refused)
    await rm(filler)
    await expectBack(url, history, refused, async () => {})
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
    await model.close()
    disk.unmount()
  }
})

test("[LOG-18] a full disk with the log on it ends nothing, and a server that starts on it serves reads", {
  timeout: 180_000,
}, async ({ skip }) => {
  const disk = mountDisk(folder)
  if (disk === undefined) return skip("no small disk can be mounted here (it takes root)")
  const model = await startFakeModel({ tokenMs: 2 })
  const start = () =>
    spawnServer({
      dataFolder: folder,
      modelUrl: model.url,
      env: { PARLOR_LOG: "info" },
      // Its log is on the full disk.
      under: ["sh", "-c", 'exec "$@" 2>>"$PARLOR_DATA/log"', "sh"],
    })
  let server = start()
  try {
    let url = await server.ready
    const history = new History()
    const filler = join(folder, "filler")
    await fillDisk(filler, LEFT_MB)
    const refused = await fillUp(url, TALK, MESSAGE_LENGTH, history)
    await fillDisk(`${filler}2`, 0)
    for (let n = 0; n < 50; n++) expect((await send(url, TALK, refused.input)).outcome).toBe("refused")
    await expectFull(url, history, refused)
    for (const end of ["stop", "kill"] as const) {
      await server[end]()
      await fillDisk(`${filler}-${end}`, 0)
      server = start()
      url = await server.ready
      await expectFull(url, history, refused)
      expect(await send(url, TALK, refused.input)).toMatchObject({ outcome: "refused", status: 503 })
      expect((await fetch(`${url}/`)).status).toBe(200)
    }
    for (const name of [filler, `${filler}2`, `${filler}-stop`, `${filler}-kill`]) await rm(name)
    await expectBack(url, history, refused, async () => {})
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
    await model.close()
    disk.unmount()
  }
})

test("[LOG-4, LOG-12] a full database refuses sends with 503, serves reads, and is no trouble once it has room", {
  timeout: 120_000,
}, async () => {
  const parlor = await startInProcess(folder, { scripts: [], fallback: says("Yes."), maxPages: MAX_PAGES })
  try {
    const { url, clock } = parlor
    await ask(`${url}${pathOf(FILLER)}`, { method: "PUT" })
    const history = new History()
    await fillUp(url, FILLER, FILLER_LENGTH, history)
    const refused = await fillUp(url, TALK, FILLER_LENGTH, history)
    await expectFull(url, history, refused)
    const removed = await fetch(`${url}${pathOf(FILLER)}`, { method: "DELETE", headers: credential() })
    expect(removed.status).toBe(204)
    await expectBack(url, history, refused, () => clock.advance(200))
  } finally {
    await parlor.close()
  }
})

/** Fills the disk except for the given number of bytes. */
async function fillDisk(path: string, leftMb: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const bytes = bavail * bsize - leftMb * MB
  if (bytes > 0) await writeFile(path, Buffer.alloc(bytes)).catch(() => undefined)
  else await writeFile(path, "").catch(() => undefined)
}

/** A tmpfs of a few megabytes, or undefined if mounting is not permitted. */
function mountDisk(path: string): { unmount(): void } | undefined {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", path], { stdio: "ignore" })
  } catch {
    return undefined
  }
  return { unmount: () => execFileSync("umount", ["-l", path], { stdio: "ignore" }) }
}
