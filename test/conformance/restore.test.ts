/** A server that is put back to a backup and goes on from there: readers of what came after it are told, and start over. */
import { copyFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { FetchError, stream } from "@durable-streams/client"
import { type LiveConversation, Parlor } from "@parlor/client"
import { type Script, says, scriptedModel } from "@parlor/core/testing"
import {
  type ChangeEvent,
  emptyRows,
  fold,
  formatOffset,
  type Problem,
  parseOffset,
  readChanges,
} from "@parlor/protocol"
import { afterEach, expect, test, vi } from "vitest"
import { type RunningParlor, startParlor } from "./parlor.ts"
import { get, parsed, readAll } from "./readers.ts"
import { openStreamDb } from "./stream-db.ts"

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const TRANSPORTS = [{}, { live: "long-poll" }, { live: "sse" }] as const

test("[LOG-20] an offset of before the backup goes on; one of after it is gone, however far the log has come since", async () => {
  const { parlor, kept, lost } = await restored()
  const whole = await readAll(place(parlor))
  expect(parseOffset(whole.next)).toBeGreaterThan(Number(parseOffset(lost)))
  for (const more of TRANSPORTS) {
    const refused = await get(place(parlor), { offset: lost, ...more })
    expect({ more, status: refused.status }).toEqual({ more, status: 410 })
    expect(((await refused.json()) as Problem).code).toBe("offset.gone")
    const leave = new AbortController()
    const taken = await get(place(parlor), { offset: kept, ...more }, leave.signal)
    expect({ more, status: taken.status }).toEqual({ more, status: 200 })
    leave.abort()
  }
  const rest = await readAll(place(parlor), kept)
  expect(whole.events.endsWith(rest.events)).toBe(true)
  expect(rest.next).toBe(whole.next)
  // As they were given out before offsets had a check.
  const plain = formatOffset(Number(parseOffset(kept)))
  expect((await readAll(place(parlor), plain)).events).toBe(rest.events)
})

test("[LOG-20] an offset past the end of the restored log is gone too; no cache takes one history for the other", async () => {
  const parlor = await start([says("One."), says("Two, which is lost.")])
  await talk(parlor, "first")
  await backUp(parlor)
  await talk(parlor, "second")
  const before = await get(place(parlor), { offset: "-1" })
  const lost = before.headers.get("stream-next-offset") ?? ""
  await restore(parlor)
  expect((await get(place(parlor), { offset: lost })).status).toBe(410)
  expect((await get(place(parlor), { offset: formatOffset(Number(parseOffset(lost))) })).status).toBe(410)
  const url = `${parlor.log()}?offset=-1`
  const headers = { ...parlor.headers, "if-none-match": before.headers.get("etag") ?? "" }
  expect((await fetch(url, { headers })).status).toBe(200)
})

for (const live of ["sse", "long-poll"] as const)
  test(`[LOG-20] @durable-streams/client, following by ${live}, is told with 410 and reads the right state from the start`, async () => {
    const parlor = await start([says("One."), says("Lost."), says("Kept, and longer."), says("More.")])
    await talk(parlor, "first")
    await backUp(parlor)
    const reader = await follow(parlor, "-1", live)
    await talk(parlor, "lost words")
    await vi.waitFor(() => expect(reader.text()).toContain("lost words"))
    await restore(parlor, async () => {
      await talk(parlor, "other words")
      await talk(parlor, "more words")
    })
    const error = await reader.ended
    expect(error).toBeInstanceOf(FetchError)
    expect(error).toMatchObject({ status: 410 })
    const again = await follow(parlor, "-1", live)
    await vi.waitFor(() => expect(again.text()).toContain("more words"))
    expect(again.text()).not.toContain("lost words")
    expect(again.rows()).toEqual(await rowsOf(parlor))
  })

test("[LOG-20] StreamDB of the lost history ends; opened again it has the rows of the restored one", async () => {
  const parlor = await start([says("One."), says("Lost."), says("Kept.")])
  await talk(parlor, "first")
  await backUp(parlor)
  const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined)
  open.push(() => complaints.mockRestore())
  const db = await openStreamDb({ ...client(parlor), params: { view: "state" } })
  open.push(() => db.close())
  await talk(parlor, "lost words")
  await vi.waitFor(() => expect(JSON.stringify([...db.rows("messages")])).toContain("lost words"))
  await restore(parlor, () => talk(parlor, "other words"))
  await vi.waitFor(
    () => expect(complaints.mock.calls.flat()).toContainEqual(expect.objectContaining({ status: 410 })),
    {
      timeout: 10_000,
    },
  )
  const again = await openStreamDb({ ...client(parlor), params: { view: "state" } })
  open.push(() => again.close())
  const { messages } = await rowsOf(parlor)
  expect(again.rows("messages")).toEqual(messages)
})

test("[LOG-20] the SDK starts over by itself: conversation and feed show the restored history, and go on", async () => {
  const parlor = await start([says("One."), says("Lost."), says("Kept."), says("Next.")])
  await talk(parlor, "first")
  await backUp(parlor)
  const sdk = new Parlor({ baseUrl: parlor.url, token: parlor.headers.authorization.slice("Bearer ".length) })
  const talkLive = sdk.conversation("host").live()
  const feed = sdk.feed().live()
  open.push(() => talkLive.close())
  open.push(() => feed.close())
  await talk(parlor, "lost words")
  await vi.waitFor(() => expect(textOf(talkLive)).toContain("lost words"))
  await vi.waitFor(() => expect(JSON.stringify(feed.getState().conversations)).toContain("Lost."))
  await restore(parlor, () => talk(parlor, "other words"))
  await vi.waitFor(() => expect(textOf(talkLive)).toContain("other words"), { timeout: 10_000 })
  expect(textOf(talkLive)).not.toContain("lost words")
  await vi.waitFor(() => expect(JSON.stringify(feed.getState().conversations)).toContain("Kept."), { timeout: 10_000 })
  expect(feed.getState()).toMatchObject({ phase: "ready", error: null })
  await talkLive.send("and on")
  await vi.waitFor(() => expect(textOf(talkLive)).toContain("Next."), { timeout: 10_000 })
  expect(talkLive.getState()).toMatchObject({ phase: "ready", error: null, sending: [] })
})

/** A log that lost its end to a restore and has become longer since than it ever was. */
async function restored(): Promise<{ parlor: RunningParlor; kept: string; lost: string }> {
  const parlor = await start([says("One."), says("Lost."), says("Two."), says("Three."), says("Four.")])
  await talk(parlor, "first")
  const { next: kept } = await readAll(place(parlor))
  await backUp(parlor)
  await talk(parlor, "second, which is lost")
  const { next: lost } = await readAll(place(parlor))
  await restore(parlor)
  for (const text of ["second", "third", "fourth"]) await talk(parlor, text)
  return { parlor, kept, lost }
}

async function start(scripts: readonly Script[]): Promise<RunningParlor> {
  const parlor = await startParlor(scriptedModel(scripts))
  open.push(() => parlor.close())
  return parlor
}

async function talk(parlor: RunningParlor, text: string): Promise<void> {
  await parlor.send(text)
  await parlor.idle()
}

/** The file of a server that was stopped, copied. */
function backUp(parlor: RunningParlor): Promise<void> {
  return parlor.restart({ between: (folder) => copyFile(join(folder, "parlor.db"), join(folder, "backup.db")) })
}

function restore(parlor: RunningParlor, then?: () => Promise<void>): Promise<void> {
  return parlor
    .restart({
      between: async (folder) => {
        for (const ending of ["-wal", "-shm"]) await rm(join(folder, `parlor.db${ending}`), { force: true })
        await copyFile(join(folder, "backup.db"), join(folder, "parlor.db"))
      },
    })
    .then(then)
}

function place(parlor: RunningParlor) {
  return { url: parlor.log(), headers: parlor.headers }
}

function client(parlor: RunningParlor) {
  return { ...place(parlor), headers: { ...parlor.headers }, warnOnHttp: false }
}

async function follow(parlor: RunningParlor, offset: string, live: "sse" | "long-poll") {
  const abort = new AbortController()
  open.push(() => abort.abort())
  const response = await stream<ChangeEvent>({ ...client(parlor), offset, live, json: true, signal: abort.signal })
  const changes: ChangeEvent[] = []
  response.subscribeJson((batch) => void changes.push(...readChanges(JSON.stringify(batch.items))))
  const ended = response.closed.then(
    () => undefined,
    (error: unknown) => error,
  )
  return { ended, text: () => JSON.stringify(changes), rows: () => fold(emptyRows(), changes) }
}

async function rowsOf(parlor: RunningParlor) {
  return fold(emptyRows(), parsed<ChangeEvent>(await readAll(place(parlor))))
}

function textOf(live: LiveConversation): string {
  return JSON.stringify(live.getState().messages)
}
