import { type ChangeEvent, formatOffset } from "@parlor/protocol"
import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { Log, said } from "../test/rows.ts"
import {
  type Answer,
  control,
  data,
  openStream,
  pageOf,
  problem,
  quick,
  seqOf,
  startWire,
  type Wire,
} from "../test/wire.ts"
import type { Connection, Following } from "./follow.ts"

let wire: Wire | undefined
afterEach(async () => {
  await wire?.close()
  wire = undefined
})

const log = new Log()
log.message(said("m", 1, "", { state: "streaming" }))
for (const [n, text] of ["Grüße ", "👋🏽", "\n\n", "{}[]", "data: x", "\u2028"].entries()) log.delta("m", n, text)
log.message(said("m", 1, "Grüße 👋🏽\n\n{}[]data: x\u2028"), "update")

async function take(stream: Following, count: number): Promise<readonly ChangeEvent[]> {
  const taken: ChangeEvent[] = []
  for await (const changes of stream) {
    taken.push(...changes)
    expect(stream.offset).toBe(taken.at(-1)?.headers.offset)
    if (taken.length >= count) break
  }
  return taken
}

const serve = async (answer: Answer): Promise<Wire> => {
  wire = await startWire(answer)
  return wire
}

test("[LOG-6] following from any offset gives the rest of the log", async () => {
  const { parlor, calls } = await serve(({ query }, response) => {
    openStream(response)
    response.write(pageOf(log.changes, query))
  })
  for (let from = 0; from < log.changes.length; from++) {
    const stream = parlor.conversation("host", "a b/c").follow({ offset: formatOffset(from) })
    expect(await take(stream, log.changes.length - from)).toEqual(log.changes.slice(from))
  }
  expect(calls[0]?.path).toBe("/v1/conversations/host/a%20b%2Fc/events")
  expect(calls[0]?.headers.authorization).toBe("Bearer secret")
})

test("[LOG-6] a stream written one byte at a time gives the same events", async () => {
  const { parlor } = await serve(async ({ query }, response) => {
    openStream(response)
    response.socket?.setNoDelay()
    for (const byte of Buffer.from(pageOf(log.changes, query))) {
      response.write(Uint8Array.of(byte))
      await new Promise(setImmediate)
    }
  })
  expect(await take(parlor.conversation("host").follow(), log.changes.length)).toEqual(log.changes)
})

test("[LOG-6] connections cut at random points lose nothing and repeat nothing", async () => {
  let cuts: number[] = []
  const { parlor } = await serve(({ query }, response) => {
    openStream(response)
    const page = Buffer.from(pageOf(log.changes, query, 2))
    const cut = cuts.shift()
    if (cut === undefined) response.write(page)
    else response.write(page.subarray(0, cut), () => response.destroy())
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1_500), { maxLength: 8 }), async (points) => {
      cuts = [...points]
      expect(await take(parlor.conversation("host").follow(), log.changes.length)).toEqual(log.changes)
    }),
    { numRuns: 60 },
  )
})

test("[LOG-6] a server that ends each connection after one batch is followed all the same, with its cursor", async () => {
  const { parlor, calls } = await serve(({ query }, response) => {
    openStream(response)
    const from = seqOf(query)
    response.end(data(log.changes.slice(from, from + 1)) + control(from + 1))
  })
  expect(await take(parlor.conversation("host").follow(), log.changes.length)).toEqual(log.changes)
  expect(calls[0]?.query.get("cursor")).toBeNull()
  expect(calls[1]?.query.get("cursor")).toBe("7")
})

test("[LOG-6] when a control event is ahead, it reads again from the last good offset, and duplicates are dropped", async () => {
  let connections = 0
  const { parlor, calls } = await serve(({ query }, response) => {
    openStream(response)
    connections += 1
    const { changes } = log
    if (connections === 1) response.write(data(changes.slice(0, 2)) + control(5))
    else if (connections === 2) response.write(data(changes.slice(0, 4)) + control(6))
    else response.write(pageOf(changes, query))
  })
  expect(await take(parlor.conversation("host").follow(), log.changes.length)).toEqual(log.changes)
  expect(calls.map((call) => call.query.get("offset"))).toEqual(["-1", formatOffset(2), formatOffset(4)])
})

test.each([
  [401, "auth.revoked"],
  [403, "auth.forbidden"],
  [404, "conversation.unknown"],
])("following ends for good on %i", async (status, code) => {
  const { parlor, calls } = await serve(({ query }, response) => {
    if (seqOf(query) > 0) return problem(response, status, code)
    openStream(response)
    response.end(data(log.changes.slice(0, 2)) + control(2))
  })
  await expect(take(parlor.conversation("host").follow(), 9)).rejects.toMatchObject({
    name: "ParlorError",
    code,
    status,
  })
  expect(calls).toHaveLength(2)
})

test("faults, foreign answers and broken data are waited out, and the connection is told", async () => {
  const answers: Answer[] = [
    (_, response) => problem(response, 503, "server.stopping", { "retry-after": "0" }),
    (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in to the Wi-Fi"),
    (_, response) => void response.destroy(),
    (_, response) => {
      openStream(response)
      response.end("event: data\ndata: [{\n\n")
    },
    (_, response) => problem(response, 429, "rate.exceeded"),
  ]
  const { parlor } = await serve(({ query, ...call }, response) => {
    const answer = answers.shift()
    if (answer) return answer({ query, ...call }, response)
    openStream(response)
    response.write(pageOf(log.changes, query))
  })
  const seen: Connection[] = []
  const stream = parlor.conversation("host").follow({ onConnection: (connection) => seen.push(connection) })
  expect(await take(stream, log.changes.length)).toEqual(log.changes)
  expect(seen[0]).toBe("connecting")
  expect(seen).toContain("offline")
  expect(seen.at(-1)).toBe("live")
})

const HOUR = 3_600_000

test("[TAB-13] the pause before another try says when that is, and can be cut short", async () => {
  let isDown = true
  await serve(({ query }, response) => {
    if (isDown) return void response.destroy()
    openStream(response)
    response.write(pageOf(log.changes, query))
  })
  const parlor = wire?.client({ timing: { ...quick, backoffMs: HOUR, backoffMaxMs: HOUR } })
  const seen: string[] = []
  const began = Date.now()
  const stream = parlor?.conversation("host").follow({
    onConnection: (connection, next) => {
      seen.push(next === null ? connection : `${connection}, again`)
      if (next === null) return
      expect(next.at).toBeGreaterThanOrEqual(began + HOUR / 2)
      expect(next.at).toBeLessThanOrEqual(Date.now() + HOUR)
      if (seen.length > 3) isDown = false
      next.now()
    },
  })
  expect(stream && (await take(stream, log.changes.length))).toEqual(log.changes)
  expect(seen).toEqual(["connecting", "connecting, again", "connecting", "offline, again", "offline", "live"])
})

test("[TAB-13] a connection that brought something starts the pauses over: only failures in a row make them longer", async () => {
  await serve(({ query }, response) => {
    if (query.get("offset") === "-1" && isDown-- > 0) return void response.destroy()
    openStream(response)
    const from = seqOf(query)
    response.end(data(log.changes.slice(from, from + 1)) + control(from + 1))
  })
  let isDown = 3
  const parlor = wire?.client({ timing: { ...quick, backoffMs: HOUR, backoffMaxMs: 1_000 * HOUR } })
  const longest: number[] = []
  const stream = parlor?.conversation("host").follow({
    onConnection: (_, next) => {
      if (next === null) return
      longest.push(Math.ceil((next.at - Date.now()) / HOUR))
      next.now()
    },
  })
  expect(stream && (await take(stream, log.changes.length))).toEqual(log.changes)
  expect(longest[2], "after three failures").toBeGreaterThan(1)
  expect(longest.slice(3).length).toBeGreaterThan(5)
  expect(Math.max(...longest.slice(3)), "after connections that brought something").toBe(1)
})

test("a silent connection is given up, a quiet one that keeps alive is not", async () => {
  let connections = 0
  await serve(async ({ query }, response) => {
    openStream(response)
    connections += 1
    if (connections === 1) return
    for (let beat = 0; beat < 8; beat++) {
      response.write(":\n\n")
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    response.write(pageOf(log.changes, query))
  })
  const parlor = wire?.client({ timing: { ...quick, silenceMs: 500 } })
  const stream = parlor?.conversation("host").follow()
  expect(stream && (await take(stream, log.changes.length))).toEqual(log.changes)
  expect(connections).toBe(2)
})

test("an aborted signal ends the reading without an error", async () => {
  const { parlor } = await serve(({ query }, response) => {
    openStream(response)
    response.write(pageOf(log.changes, query))
  })
  const leaving = new AbortController()
  const taken: ChangeEvent[] = []
  for await (const changes of parlor.conversation("host").follow({ signal: leaving.signal })) {
    taken.push(...changes)
    if (taken.length === log.changes.length) leaving.abort()
  }
  expect(taken).toEqual(log.changes)
})

test("[TAB-50] without a slot it reads up to date, pauses and reads on; nothing is lost, and it stays live", async () => {
  let known = 2
  const { client, calls } = await serve(({ query }, response) => {
    openStream(response)
    response.write(pageOf(log.changes.slice(0, known), query))
  })
  const connections: Connection[] = []
  const waits: (() => void)[] = []
  let lost = new AbortController()
  let hasSlot = false
  const slots = {
    take: async () => (hasSlot ? { lost: lost.signal, release: () => {} } : undefined),
    pause: () => new Promise<void>((resolve) => void waits.push(resolve)),
  }
  const stop = new AbortController()
  const onConnection = (connection: Connection) => void connections.push(connection)
  const stream = client({ slots }).conversation("host").follow({ signal: stop.signal, onConnection })
  const read: ChangeEvent[] = []
  const reading = (async () => {
    for await (const changes of stream) read.push(...changes)
  })()
  const wake = async () => {
    await expect.poll(() => waits.length).toBe(1)
    waits.pop()?.()
  }
  await expect.poll(() => read.length).toBe(2)
  known = 4
  await wake()
  await expect.poll(() => read.length).toBe(4)
  hasSlot = true
  known = 5
  await wake()
  await expect.poll(() => read.length).toBe(5)
  // The second time, too.
  for (const next of [6, log.changes.length]) {
    known = next
    lost.abort()
    lost = new AbortController()
    await wake()
    await expect.poll(() => read.length).toBe(next)
  }
  expect(read).toEqual(log.changes)
  expect(new Set(connections.slice(connections.indexOf("live")))).toEqual(new Set(["live"]))
  expect(calls.length).toBe(5)
  stop.abort()
  await reading
})
