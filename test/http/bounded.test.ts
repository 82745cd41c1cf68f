/** [LOG-25, SEC-12] Responses are bounded in bytes, and so are one person's requests in flight. */
import { connect, type Socket } from "node:net"
import { Parlor } from "@parlor/client"
import { limits, type Route, routes, snapshot } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { ask, follow, jsonOf, read } from "./client.ts"
import { pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const messagePage = routes.listMessages.answer.schema
const MESSAGES = 60
const LENGTH = 100_000
const QUEUED = 15
const path = pathOf("host", "long")
const queue = pathOf("host", "queue")

describe.each(STORES)("answers from %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind })
    const lines = Array.from({ length: MESSAGES }, (_, n) => ({ role: "person", text: `${n} ${"x".repeat(LENGTH)}` }))
    await ask(server, "POST", "/v1/import?agent=host&branch=long", {
      body: lines.map((line) => JSON.stringify(line)).join("\n"),
      headers: { "content-type": "application/jsonl" },
    })
    await ask(server, "PUT", queue)
    await ask(server, "POST", `${queue}/queue/hold`)
    for (let n = 0; n < QUEUED; n++)
      await ask(server, "POST", `${queue}/messages`, { body: { text: `${n} ${"q".repeat(LENGTH)}`, mode: "paused" } })
  }, 60_000)

  afterAll(() => server.close())

  test("[LOG-25] pages of messages end at their bytes, and together they are all messages", async () => {
    const seen: string[] = []
    let pages = 0
    for (let before: string | null = ""; before !== null; pages++) {
      const query: string = before === "" ? "" : `&before=${before}`
      const answer = await ask(server, "GET", `${path}/messages?limit=10000${query}`)
      expect(answer.text.length).toBeLessThan(limits.pageBytes + 2 * LENGTH)
      const page = messagePage.parse(jsonOf(answer))
      seen.push(
        ...page.messages.map(({ parts }) => (parts[0]?.type === "text" ? (parts[0].text.split(" ")[0] ?? "") : "")),
      )
      before = page.older
    }
    expect(pages).toBeGreaterThan(4)
    expect(seen).toEqual(Array.from({ length: MESSAGES }, (_, n) => String(MESSAGES - 1 - n)))
  })

  test("[LOG-25] one message longer than a page comes alone", async () => {
    const big = pathOf("host", "big")
    await ask(server, "POST", "/v1/import?agent=host&branch=big", {
      body: [1, 2]
        .map((n) => JSON.stringify({ role: "person", text: `${n}${"y".repeat(limits.pageBytes)}` }))
        .join("\n"),
      headers: { "content-type": "application/jsonl" },
    })
    const first = await read(server, messagePage, "GET", `${big}/messages`)
    expect(first.messages).toHaveLength(1)
    const second = await read(server, messagePage, "GET", `${big}/messages?before=${first.older}`)
    expect([second.messages.length, second.older]).toEqual([1, null])
  })

  test("[LOG-25] a snapshot has a page of messages and of the queue, and says how many wait", async () => {
    const long = await read(server, snapshot, "GET", `${path}?messages=1000`)
    expect(long.messages.length).toBeLessThan(12)
    expect(long.older).not.toBeNull()
    const waiting = await read(server, snapshot, "GET", queue)
    expect(waiting.queue.length).toBeLessThan(QUEUED)
    expect(waiting.queue.length).toBeGreaterThan(3)
    expect(waiting.queued).toBe(QUEUED)
    expect(waiting.queue.map(({ position }) => position)).toEqual(waiting.queue.map(({ position }) => position).sort())
  })

  test("[LOG-25] pages of the queue end at their bytes, and together they are the queue in its order", async () => {
    const pages: (readonly string[])[] = []
    for (let after: string | null = ""; after !== null; ) {
      const query: string = after === "" ? "" : `?after=${encodeURIComponent(after)}`
      const page = await read(server, routes.listQueue.answer.schema, "GET", `${queue}/queue${query}`)
      pages.push(page.queue.map(({ payload }) => (payload as { source: string }).source.split(" ")[0] ?? ""))
      after = page.later
    }
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flat()).toEqual(Array.from({ length: QUEUED }, (_, n) => String(n)))
  })

  test("[LOG-25] a live view of a long queue loads the rest of it", async () => {
    const parlor = sdkOf(server)
    const live = parlor.conversation("host", "queue").live()
    try {
      await vi.waitFor(() => expect(live.getState().queue).toHaveLength(QUEUED), 15_000)
      expect(live.getState().unreadQueued).toBe(0)
    } finally {
      live.close()
    }
  })

  test("[LOG-25] pages of chapters end at their bytes, and together they are all chapters", async () => {
    const chapters = pathOf("host", "chapters")
    const imported = await ask(server, "POST", "/v1/import?agent=host&branch=chapters", {
      body: (await withChapters(server, 15)).join("\n"),
      headers: { "content-type": "application/jsonl" },
    })
    expect(imported.status, imported.text).toBe(201)
    const pages: (readonly string[])[] = []
    for (let before: string | null = ""; before !== null; ) {
      const query: string = before === "" ? "" : `?before=${encodeURIComponent(before)}`
      const answer = await ask(server, "GET", `${chapters}/archives${query}`)
      expect(answer.text.length).toBeLessThan(limits.pageBytes + 2 * LENGTH)
      const page = routes.listArchives.answer.schema.parse(jsonOf(answer))
      pages.push(page.archives.map(({ title }) => title))
      before = page.older
    }
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flat()).toEqual(Array.from({ length: 15 }, (_, n) => `Chapter ${14 - n}`))
    const parlor = sdkOf(server)
    const listed = await parlor.conversation("host", "chapters").archives.list()
    expect(listed.map(({ title }) => title)).toEqual(Array.from({ length: 15 }, (_, n) => `Chapter ${n}`))
    const wrong = await ask(server, "GET", `${chapters}/archives?before=nonsense`)
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("cursor.invalid")])
  })

  test("[LOG-25] the state view has the whole queue, in pieces, by catch-up and by stream", async () => {
    const answer = await ask(server, "GET", `${queue}/events?view=state&offset=-1`)
    const rows = jsonOf(answer) as { type: string; key: string }[]
    expect(rows.filter(({ type }) => type === "queue")).toHaveLength(QUEUED)
    const stream = await follow(server, `${queue}/events?view=state&offset=-1&live=sse`)
    const text = await stream.until((sofar) => sofar.includes('"upToDate":true'))
    stream.leave()
    const frames = [...text.matchAll(/^data:(\[.*\])$/gm)].map(([, array = "[]"]) => JSON.parse(array) as typeof rows)
    expect(frames.length).toBeGreaterThan(3)
    expect(frames.flat()).toEqual(rows.map((row) => expect.objectContaining({ type: row.type, key: row.key })))
    expect(text).toContain(answer.headers["stream-next-offset"])
  })

  test("[SEC-12] one person has few large requests under way, a few more wait, and others are answered", async () => {
    const key = await server.addKey({ person: "greedy" })
    const own = pathOf("host", "main")
    const most = limits.heavyPerPerson * (1 + limits.heavyWaitingPerSlot)
    const asked = await Promise.all(
      Array.from({ length: most + 3 }, () => unfinished(server, `${own}/files/a.txt`, key)),
    )
    const answers = () => asked.map(({ text }) => text()).filter((text) => text !== "")
    try {
      await vi.waitFor(() => expect(answers()).toHaveLength(3), 15_000)
      for (const answer of answers()) {
        expect(answer).toMatch(/^HTTP\/1.1 429 .*retry-after: \d+\r\n/is)
        expect(answer).toContain("rate.exceeded")
      }
      expect((await ask(server, "GET", `${path}/messages`)).status).toBe(200)
    } finally {
      for (const { socket } of asked) socket.destroy()
    }
    await vi.waitFor(async () => {
      expect((await ask(server, "GET", "/v1/conversations", { token: key })).status).toBe(200)
    }, 15_000)
  }, 40_000)
})

test("[LOG-25] no route that gives rows or bytes is without a bound on how many one person has under way", () => {
  const light = Object.entries(routes).flatMap(([name, route]) => {
    const { method, needs, stream, answer, heavy }: Route = route
    // Streams are counted separately (SEC-14).
    const isStream = stream || answer?.type === "text/event-stream"
    const gives = method === "GET" && needs !== "nothing" && !isStream
    return gives && !heavy ? [name] : []
  })
  // Each of these has a small bound on its number of rows, and rows of a few hundred bytes.
  expect(light.sort()).toMatchInlineSnapshot(`
    [
      "listAgents",
      "listAttachments",
      "listGrants",
      "listHooks",
      "listKeys",
      "listLinks",
      "listMcpServers",
      "listModels",
      "listNotices",
      "listPeople",
      "listProviders",
      "listSchedules",
      "listShares",
      "metrics",
      "openHook",
      "openNotice",
      "openSchedule",
      "openaiModel",
      "openaiModels",
      "readAccount",
      "readConfig",
      "readMemory",
      "readPreferences",
      "readPush",
      "readUsage",
      "readUsageTotals",
    ]
  `)
})

function sdkOf({ port, token }: TestServer): Parlor {
  return new Parlor({ baseUrl: `http://127.0.0.1:${port}`, token })
}

/** Starts an upload and never continues it. */
function unfinished(target: TestServer, at: string, token: string): Promise<{ socket: Socket; text(): string }> {
  return new Promise((resolve, reject) => {
    let text = ""
    const socket = connect({ host: "127.0.0.1", port: target.port }, () => {
      const headers = `Host: 127.0.0.1:${target.port}\r\nAuthorization: Bearer ${token}\r\nContent-Length: 10`
      const done = () => resolve({ socket, text: () => text })
      socket.write(`PUT ${at} HTTP/1.1\r\n${headers}\r\n\r\n`, done)
    })
    socket.on("data", (chunk) => {
      text += chunk.toString()
    })
    socket.on("error", reject)
  })
}

/** An export of a short conversation to which a chapter with a long summary is added for each message. */
async function withChapters(server: TestServer, count: number): Promise<readonly string[]> {
  const plain = Array.from({ length: count }, (_, n) => JSON.stringify({ role: "person", text: `message ${n}` }))
  const headers = { "content-type": "application/jsonl" }
  await ask(server, "POST", "/v1/import?agent=host&branch=plain", { body: plain.join("\n"), headers })
  const lines = (await ask(server, "GET", `${pathOf("host", "plain")}/export`)).text.trim().split("\n")
  const rows = lines.flatMap((line) => (JSON.parse(line) as { message?: { id: string; ord: number } }).message ?? [])
  const chapters = rows.map(({ id, ord }, n) => ({
    id: `arc_${String(n).padStart(3, "0")}`,
    from: id,
    to: id,
    fromOrd: ord,
    toOrd: ord,
    title: `Chapter ${n}`,
    summary: "s".repeat(LENGTH),
    tokensBefore: 10,
    tokensAfter: 5,
    archivedAt: 1_000 + n,
    madeOrd: ord,
    inForce: true,
  }))
  return [...lines, ...chapters.map((archive) => JSON.stringify({ archive }))]
}
