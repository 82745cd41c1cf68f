/** [LOG-25, SEC-12] Answers are bounded in bytes, whatever is asked for, and so is what one person has under way. */
import { connect, type Socket } from "node:net"
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
    // Streams have places of their own (SEC-14).
    const isStream = stream || answer?.type === "text/event-stream"
    const gives = method === "GET" && needs !== "nothing" && !isStream
    return gives && !heavy ? [name] : []
  })
  // Each of these has a small bound on its number of rows, and rows of a few hundred bytes.
  expect(light.sort()).toMatchInlineSnapshot(`
    [
      "listAgents",
      "listAttachments",
      "listHooks",
      "listKeys",
      "listLinks",
      "listMcpServers",
      "listNotices",
      "listSchedules",
      "openHook",
      "openNotice",
      "openSchedule",
      "readMemory",
      "readUsage",
    ]
  `)
})

/** Begins to send a file, and does not go on. */
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
