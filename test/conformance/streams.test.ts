/** What the read side promises beyond the published protocol, over HTTP on a real server. */
import { finish, gate, type Script, says, scriptedModel } from "@parlor/core/testing"
import { type ChangeEvent, emptyRows, type FeedRow, fold, type Problem, type Rows, withDeltas } from "@parlor/protocol"
import { afterEach, describe, expect, test, vi } from "vitest"
import { json, type RunningParlor, startParlor } from "./parlor.ts"
import { follow, get, longPoll, type Place, parsed, readAll } from "./readers.ts"

const CUT_WITHIN_MS = 5_000

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

describe("reading", () => {
  test("[LOG-7] the log cannot be written through its stream", async () => {
    const parlor = await start()
    for (const method of ["POST", "PUT", "DELETE"]) {
      const response = await parlor.fetch("/v1/conversations/host/main/events", { method })
      expect(response.status).toBe(405)
      expect(response.headers.get("allow")).toMatch(/^GET\b/)
      expect(await response.json()).toMatchObject({ code: "method.not-allowed" })
    }
  })

  test("[LOG-7] an offset nobody gave out is refused in every mode", async () => {
    const parlor = await start()
    const bad = ["", "x", "1", "-2", "0000000000000001,", "9999999999999999", "0000000000000001_x"]
    for (const offset of bad) {
      for (const live of [{}, { live: "long-poll" }, { live: "sse" }]) {
        const response = await get(place(parlor), { offset, ...live })
        expect({ offset, live, status: response.status }).toEqual({ offset, live, status: 400 })
        expect(((await response.json()) as Problem).code).toBe("offset.invalid")
      }
    }
    for (const live of ["long-poll", "sse"]) expect((await get(place(parlor), { live })).status).toBe(400)
  })

  test("[LOG-7] HEAD tells the tail and nothing else", async () => {
    const parlor = await start()
    const { next } = await readAll(place(parlor))
    const response = await fetch(parlor.log(), { method: "HEAD", headers: parlor.headers })
    expect(response.status).toBe(200)
    expect(response.headers.get("stream-next-offset")).toBe(next)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(await response.text()).toBe("")
  })

  test("[LOG-7] an answer that was read already is not sent again, one that has grown is", async () => {
    const parlor = await start()
    const etag = (await get(place(parlor), {})).headers.get("etag") ?? ""
    const again = (tag: string) => fetch(parlor.log(), { headers: { ...parlor.headers, "if-none-match": tag } })
    const unchanged = await again(etag)
    expect(unchanged.status).toBe(304)
    expect(await unchanged.text()).toBe("")
    expect(unchanged.headers.get("etag")).toBe(etag)
    expect((await again(`"other", ${etag}`)).status).toBe(304)
    await parlor.send("hi")
    await parlor.idle()
    const grown = await again(etag)
    expect(grown.status).toBe(200)
    expect(grown.headers.get("etag")).not.toBe(etag)
  })

  test("[LOG-7] at the tail there is nothing, and a long-poll waits for what comes", async () => {
    const parlor = await start()
    const tail = await get(place(parlor), { offset: "now" })
    expect(await tail.text()).toBe("[]")
    const polled = longPoll(place(parlor), "now")
    const { txid } = await parlor.send("hi")
    expect(parsed<ChangeEvent>(await polled)[0]?.headers.txid).toBe(txid)
  })
})

describe("view=state", () => {
  test("[LOG-8] the state, then the log from there, has text that is still streaming", async () => {
    const pause = gate()
    const parlor = await start([[text("Half "), pause, text("and whole."), finish()]])
    const { message } = await parlor.send("hi")
    await vi.waitFor(async () => expect((await rowsOf(parlor)).deltas.size).toBe(1))
    const reader = following({ ...place(parlor), url: `${parlor.log()}?view=state` })
    await vi.waitFor(() => expect(reader.upToDate).toBe(true))
    expect(reader.rows.messages.get(message)?.role).toBe("person")
    expect(replyIn(reader.rows)).toBe("Half ")
    pause.open()
    await parlor.idle()
    const whole = await rowsOf(parlor)
    await vi.waitFor(() => expect(reader.rows).toEqual(whole))
    expect(replyIn(reader.rows)).toBe("Half and whole.")
  })

  test("[LOG-8] the state is bounded by the messages asked for, in all modes alike", async () => {
    const parlor = await start()
    for (const word of ["one", "two", "three"]) {
      await parlor.send(word)
      await parlor.idle()
    }
    const asked = { view: "state", messages: "2", offset: "-1" }
    const plain = await get(place(parlor), asked)
    const polled = await get(place(parlor), { ...asked, live: "long-poll" })
    const body = await plain.text()
    const untimed = (text: string) => text.replaceAll(/"timestamp":"[^"]+"/g, "")
    expect(untimed(await polled.text())).toBe(untimed(body))
    expect(polled.headers.get("stream-cursor")).toMatch(/^\d+$/)
    const messages = (JSON.parse(body) as ChangeEvent[]).filter((change) => change.type === "messages")
    expect(messages.map((change) => change.value.ord)).toEqual([5, 6])
    expect(plain.headers.get("stream-next-offset")).toBe((await readAll(place(parlor))).next)
    expect(plain.headers.get("cache-control")).toBe("no-store")
  })
})

describe("the feed", () => {
  test("[LOG-14] one stream tells of every conversation of its person", async () => {
    const pause = gate()
    const parlor = await start([[text("Working "), pause, text("done."), finish()], says("Hello.")])
    const feed = following({ ...place(parlor), url: `${parlor.url}/v1/feed` }).rows.conversations
    await parlor.fetch("/v1/conversations/host/trip", { method: "PUT" })
    await vi.waitFor(() => expect(feed.get("host/trip")).toMatchObject({ state: "idle" }))
    await parlor.send("plan it", "trip")
    await parlor.send("and this", "trip")
    await vi.waitFor(() => expect(feed.get("host/trip")).toMatchObject({ state: "busy", queued: 1 }))
    pause.open()
    await parlor.idle("trip")
    await parlor.send("hi")
    await parlor.idle()
    const wanted = { state: "idle", queued: 0, preview: "Hello." }
    await vi.waitFor(() => expect(feed.get("host/trip")).toMatchObject(wanted))
    const listed = await json<{ conversations: FeedRow[] }>(await parlor.fetch("/v1/conversations"))
    const byKey = new Map(listed.conversations.map((row) => [`${row.agent}/${row.branch}`, row]))
    await vi.waitFor(() => expect(feed).toEqual(byKey))
    const state = await readAll({ ...place(parlor), url: `${parlor.url}/v1/feed?view=state` })
    expect(fold(emptyRows(), parsed<ChangeEvent>(state)).conversations).toEqual(byKey)
  })
})

describe("revoking", () => {
  test("[SEC-4] revoking a key cuts what it has open, by events and by long-poll", async () => {
    const parlor = await start()
    const key = await openWithKey(parlor)
    expect((await parlor.fetch(`/v1/keys/${key.id}`, { method: "DELETE" })).status).toBe(204)
    await within(CUT_WITHIN_MS, key.cut)
    expect((await get(key.place, {})).status).toBe(401)
  })

  test("[SEC-4] a key that another node revoked is cut off within 5 s", async () => {
    const parlor = await start()
    const key = await openWithKey(parlor)
    const audit = { at: Date.now(), person: "me", act: "key.revoked", subject: key.id }
    expect(await parlor.store.keys.revoke("me", key.id, audit)).toEqual([key.id])
    await within(CUT_WITHIN_MS, key.cut)
  })
})

async function start(scripts: readonly Script[] = []): Promise<RunningParlor> {
  const parlor = await startParlor(scriptedModel(scripts, { fallback: says("Well.") }))
  open.push(() => parlor.close())
  return parlor
}

function text(words: string) {
  return { type: "text", text: words } as const
}

function place(parlor: RunningParlor): Place {
  return { url: parlor.log(), headers: parlor.headers }
}

async function rowsOf(parlor: RunningParlor): Promise<Rows> {
  return fold(emptyRows(), parsed<ChangeEvent>(await readAll(place(parlor))))
}

function replyIn({ messages, deltas }: Rows): string {
  const reply = [...messages.values()].find((row) => row.role === "agent")
  const parts = reply === undefined ? [] : withDeltas(reply, deltas.values()).parts
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}

/** Rows as a reader that follows from the start has them. */
function following(from: Place) {
  const abort = new AbortController()
  const rows = emptyRows()
  const state = { rows, upToDate: false }
  const run = async () => {
    for await (const read of follow(from, "-1", abort.signal)) {
      fold(rows, parsed<ChangeEvent>(read))
      state.upToDate = read.upToDate
    }
  }
  run().catch(() => {})
  open.push(() => abort.abort())
  return state
}

/** A key with a stream and a long-poll open; `cut` resolves when both are gone without an answer. */
async function openWithKey(parlor: RunningParlor) {
  const body = JSON.stringify({ name: "reader", scopes: ["read"] })
  const made = await parlor.fetch("/v1/keys", { method: "POST", body })
  const { id, secret } = await json<{ id: string; secret: string }>(made)
  const reader = { url: parlor.log(), headers: { authorization: `Bearer ${secret}` } }
  const polled = longPoll(reader, "now").then(
    () => Promise.reject(new Error("the long-poll was answered")),
    () => {},
  )
  const reads = follow(reader, "now", AbortSignal.timeout(4 * CUT_WITHIN_MS))
  await reads.next()
  const followed = reads.next().then(
    () => {},
    () => {},
  )
  return { id, place: reader, cut: Promise.all([polled, followed]) }
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`not within ${ms} ms`)), ms)
    work.finally(() => clearTimeout(timer)).catch(() => {})
  })
  return Promise.race([work, late])
}
