/** Event streams as an EventSource reads them: ids, and reconnecting with the last one. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { finish, gate } from "@parlor/core/testing"
import { readChanges } from "@parlor/protocol"
import { EventSource } from "eventsource"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask, expected, expectProblem, follow } from "./client.ts"
import { converse, headOf, logOf, pathOf, send, untilTurnEnds } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")
const LIVE = "/events?offset=-1&live=sse"

describe.each(STORES)("[API-19] an event stream on %s", (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ kind })
    await converse(server, main, "Hello")
  })
  afterAll(() => server.close())

  test("every frame of a conversation and of a feed has the offset after it as its id, or the one before it has", async () => {
    for (const path of [`${main}/events`, "/v1/feed"]) {
      const following = await follow(server, `${path}?offset=-1&live=sse`)
      await following.until((text) => text.includes("upToDate"))
      following.leave()
      const frames = framesIn(following.text())
      expect(frames.length).toBeGreaterThan(1)
      const last = frames.at(-1)
      for (const [index, { event, id, data }] of frames.entries()) {
        if (event === "data") expect(id).toBe(readChanges(data).at(-1)?.headers.offset)
        else expect(JSON.parse(data).streamNextOffset).toBe(id ?? frames[index - 1]?.id)
      }
      // One that is sent alone names its place: a reader that began at the end has no other.
      const atEnd = await follow(server, `${path}?offset=now&live=sse`)
      await atEnd.until((text) => text.includes("upToDate"))
      atEnd.leave()
      expect(framesIn(atEnd.text()).map(({ id }) => id)).toEqual([JSON.parse(last?.data ?? "").streamNextOffset])
    }
  })

  test("Last-Event-ID continues after that frame, whatever the offset of the URL, also without one", async () => {
    const log = await logOf(server, main)
    const middle = log[Math.floor(log.length / 2)]?.headers.offset ?? ""
    for (const query of [
      "?offset=-1&live=sse",
      "?live=sse",
      "?offset=now&live=sse",
      "?offset=-1&live=sse&view=state",
    ]) {
      const following = await follow(server, `${main}/events${query}`, { headers: { "last-event-id": middle } })
      await following.until((text) => text.includes("upToDate"))
      following.leave()
      expect(offsetsIn(following.text())).toEqual(log.map(offsetOf).filter((offset) => offset > middle))
    }
  })

  test("the rows of a state view have no id: a reader that is cut off there starts over", async () => {
    const following = await follow(server, `${main}${LIVE}&view=state`)
    await following.until((text) => text.includes("upToDate"))
    following.leave()
    const frames = framesIn(following.text())
    const first = frames.findIndex(({ event }) => event === "control")
    expect(frames.slice(0, first).map(({ id }) => id)).toEqual(frames.slice(0, first).map(() => undefined))
    expect(frames[first]?.id).toBe(await headOf(server, main))
  })

  test("an id that is not an offset, not yet reached, or of another history is refused as that offset is", async () => {
    const head = await headOf(server, main)
    const wrong = [
      ["nonsense", "offset.invalid"],
      ["9999999999999999", "offset.invalid"],
      ["0000000000999999_abcdefg", "offset.gone"],
      [`${head.split("_")[0]}_0000000`, "offset.gone"],
    ] as const
    for (const [id, code] of wrong) {
      const sameAsOffset = await ask(server, "GET", `${main}/events?offset=${id}&live=sse`)
      const answer = await ask(server, "GET", `${main}${LIVE}`, { headers: { "last-event-id": id } })
      expectProblem(answer, expected(code), id)
      expect(answer.text).toBe(sameAsOffset.text)
    }
    const empty = await follow(server, `${main}${LIVE}`, { headers: { "last-event-id": "" } })
    expect(empty.status).toBe(200)
    empty.leave()
  })

  test("an unmodified EventSource that is cut off twice in a reply gets every event once, in order", async () => {
    const path = pathOf("critic", "main")
    const [first, second] = [gate(), gate()]
    server.script([word("one "), first, word("two "), second, word("three"), finish()])
    const cutter = await startCutter(server.port)
    const seen: string[] = []
    let text = ""
    const fetch = fetchWith(server)
    const source = new EventSource(`http://127.0.0.1:${cutter.port}${path}${LIVE}`, { fetch })
    source.addEventListener("data", ({ data, lastEventId }) => {
      const changes = readChanges(data)
      for (const change of changes) {
        seen.push(change.headers.offset)
        if (change.type === "deltas") text += change.value.text
      }
      expect(lastEventId).toBe(seen.at(-1))
    })
    try {
      const sent = await send(server, path, "Count")
      await expect.poll(() => text).toBe("one ")
      cutter.cut()
      first.open()
      await expect.poll(() => text, { timeout: 15_000 }).toBe("one two ")
      cutter.cut()
      second.open()
      await expect.poll(() => text, { timeout: 15_000 }).toBe("one two three")
      await untilTurnEnds(server, path, sent)
      const log = (await logOf(server, path)).map(offsetOf)
      await expect.poll(() => seen.length).toBe(log.length)
      expect(seen).toEqual(log)
      expect(cutter.lastEventIds).toHaveLength(3)
      expect(cutter.lastEventIds[0]).toBeUndefined()
    } finally {
      source.close()
      await cutter.close()
    }
  })
})

const word = (text: string) => ({ type: "text", text }) as const
const offsetOf = (change: { readonly headers: { readonly offset: string } }) => change.headers.offset

type Frame = { readonly event: string; readonly data: string; readonly id: string | undefined }

function framesIn(stream: string): readonly Frame[] {
  return stream
    .split("\n\n")
    .slice(0, -1)
    .filter((frame) => !frame.startsWith(":"))
    .map((frame) => {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(frame)?.[1]
      return { event: field("event") ?? "", data: field("data") ?? "", id: field("id") }
    })
}

function offsetsIn(stream: string): readonly string[] {
  return framesIn(stream)
    .filter(({ event }) => event === "data")
    .flatMap(({ data }) => readChanges(data).map(offsetOf))
}

/** The EventSource of a browser cannot set headers; this one can, by its fetch. */
function fetchWith({ token }: TestServer): typeof fetch {
  return (url, init) =>
    fetch(url, { ...init, headers: { ...(init?.headers as object), authorization: `Bearer ${token}` } })
}

type Cutter = {
  readonly port: number
  /** Of each connection so far. */
  readonly lastEventIds: readonly (string | undefined)[]
  cut(): void
  close(): Promise<void>
}

/** A proxy that can break its connections. */
async function startCutter(port: number): Promise<Cutter> {
  const lastEventIds: (string | undefined)[] = []
  const open = new Set<() => void>()
  const proxy: Server = createServer(async (incoming, out) => {
    lastEventIds.push(incoming.headers["last-event-id"]?.toString())
    const left = new AbortController()
    const cut = () => {
      left.abort()
      out.destroy()
    }
    open.add(cut)
    const headers = Object.fromEntries(
      ["authorization", "last-event-id", "accept"].flatMap((name) => {
        const value = incoming.headers[name]
        return value === undefined ? [] : [[name, String(value)]]
      }),
    )
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${incoming.url}`, { headers, signal: left.signal })
      out.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
      // The default of an EventSource is 3 s.
      out.write("retry: 20\n\n")
      for await (const bytes of answer.body ?? []) out.write(bytes)
      out.end()
    } catch {
      out.destroy()
    } finally {
      open.delete(cut)
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  return {
    port: (proxy.address() as AddressInfo).port,
    lastEventIds,
    cut: () => {
      for (const one of open) one()
    },
    close: async () => {
      for (const one of open) one()
      proxy.closeAllConnections()
      await new Promise<void>((resolve) => void proxy.close(() => resolve()))
    },
  }
}
