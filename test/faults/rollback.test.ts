/**
 * [RBK-9] The server is killed (SIGKILL) at random moments while it rolls back and cancels, over a real SQLite and a real
 * disk. After each start the rollback is completely done or not at all: messages, the store's file records, and the bytes
 * on disk, including manual edits.
 *
 * 8 kills, 150 with PARLOR_LONG=1. PARLOR_SEED replays when they come; the rest is the machine's timing.
 */

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Conversation, Parlor } from "@parlor/client"
import { newestRollback } from "@parlor/protocol"
import { afterEach, beforeEach, expect, test } from "vitest"
import { rounds } from "../support/rounds.ts"
import { chooseSeed, type Random, seededRandom } from "./random.ts"
import { type ServerProcess, spawnServer, TOKEN } from "./server-process.ts"
import { sleep, until } from "./waiting.ts"

const KILLS = rounds({ usual: 8, long: 150 })
const FILES = 40
/** Kills happen from its beginning to shortly after its end. */
const LATEST_KILL = 1.2
const REST_MS = 30_000

let folder: string
let server: ServerProcess | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlor-rollback-kill-"))
})
afterEach(async () => {
  await server?.kill()
  await rm(folder, { recursive: true, force: true })
})

type Seen = {
  readonly dimmed: string
  readonly files: Readonly<Record<string, string>>
  readonly disk: Readonly<Record<string, string>>
}

/** The shortest possible lease, so that leases of a dead process expire soon. */
async function started(): Promise<Conversation> {
  server = spawnServer({
    dataFolder: folder,
    modelUrl: "",
    env: { PARLOR_MODEL: "demo", PARLOR_LEASE_MS: "500", PARLOR_LOG: "error" },
  })
  return new Parlor({ baseUrl: await server.ready, token: TOKEN }).conversation("host")
}

async function rested(conversation: Conversation): Promise<Conversation> {
  await until(REST_MS, "rest", async () => {
    const { status } = await conversation.open({ messages: 1 })
    return status.state === "idle"
  })
  return conversation
}

async function seen(conversation: Conversation): Promise<Seen> {
  const { messages, rollbacks } = await conversation.open()
  expect(rollbacks.map(({ state }) => state).filter((state) => state !== "done")).toEqual([])
  const place = await folderOf()
  const onDisk = (await readdir(place, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const disk = await Promise.all(
    onDisk.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(place.length + 1), await readFile(path, "utf8")] as const
    }),
  )
  const files = await Promise.all(
    (await conversation.files.list()).map(async ({ path }) => {
      const { bytes } = await conversation.files.read(path)
      return [path, new TextDecoder().decode(bytes)] as const
    }),
  )
  return {
    dimmed: messages.map(({ dimmed }) => (dimmed ? "x" : "-")).join(""),
    files: sorted(files),
    disk: sorted(disk),
  }
}

function sorted(entries: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The only workspace folder. */
async function folderOf(): Promise<string> {
  let path = join(folder, "files")
  for (let depth = 0; depth < 3; depth++) {
    const [name] = (await readdir(path)).filter((entry) => !entry.startsWith("."))
    path = join(path, name ?? "")
  }
  return path
}

/** After the message, half of the files are changed and half are created; two are edited by hand. */
async function prepared(conversation: Conversation): Promise<string> {
  for (let n = 0; n < FILES / 2; n++) await conversation.files.write(`old/${n}.txt`, `as it was ${n}`)
  const { message } = await conversation.send("say hello")
  await rested(conversation)
  for (let n = 0; n < FILES / 2; n++) {
    await conversation.files.write(`old/${n}.txt`, `changed ${n}`)
    await conversation.files.write(`new/${n}.txt`, `made later ${n}`)
  }
  const place = await folderOf()
  await writeFile(join(place, "old/0.txt"), "edited by hand")
  await writeFile(join(place, "by-hand.txt"), "made by hand")
  return message
}

test(`[RBK-9] [RBK-5] ${KILLS} kills while rolling back and cancelling leave it done or not done`, {
  timeout: 60_000 + KILLS * 6_000,
}, async () => {
  const random: Random = seededRandom(chooseSeed("kills while rolling back"))
  let conversation = await started()
  const to = await prepared(conversation)
  const original = await seen(conversation)
  const began = Date.now()
  const reference = (await conversation.rollbacks.make(to)).rollback
  const tookMs = Date.now() - began
  const rolledBack = await seen(conversation)
  expect(rolledBack.files["old/0.txt"]).toBe("as it was 0")
  expect(Object.keys(rolledBack.disk)).toHaveLength(FILES / 2)
  await conversation.rollbacks.cancel(reference.id)
  expect(await seen(conversation)).toEqual(original)

  let isRolledBack = false
  let [done, undone] = [0, 0]
  for (let kill = 0; kill < KILLS; kill++) {
    const newest = newestRollback((await conversation.open({ messages: 1 })).rollbacks)
    const acting = (
      isRolledBack ? conversation.rollbacks.cancel(newest?.id ?? "") : conversation.rollbacks.make(to)
    ).then(
      () => true,
      () => false,
    )
    await sleep(random.int(0, Math.round(tookMs * LATEST_KILL)))
    await server?.kill()
    const answered = await acting
    conversation = await rested(await started())
    const after = await seen(conversation)
    const wanted = isRolledBack ? original : rolledBack
    const isDone = after.dimmed === wanted.dimmed
    expect(after, `after kill ${kill}`).toEqual(isDone === isRolledBack ? original : rolledBack)
    if (answered) expect(isDone, "what was answered with success is done").toBe(true)
    if (isDone) {
      done += 1
      isRolledBack = !isRolledBack
    } else undone += 1
  }
  console.info(`kills while rolling back, which takes ${tookMs} ms: ${done} done, ${undone} not`)
  expect(done).toBeGreaterThan(0)
})
