/** A send that waits for its reply or streams it, as plain curl does. */
import { spawn } from "node:child_process"
import { defineTool } from "@parlor/core"
import { calls, finish, gate, says } from "@parlor/core/testing"
import { limits, routes, type TurnEvent } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { type Ask, ask, expected, expectProblem } from "./client.ts"
import { eventually, headOf, logOf, open, pathOf, send } from "./conversations.ts"
import { ANSWER, STORES, startTestServer, type TestServer } from "./server.ts"

const { schema: replySchema } = routes.send.waits
const { schema: acceptedSchema } = routes.send.answer
const EVENTS = { accept: "text/event-stream" }

const askPerson = defineTool({
  name: "ask_person",
  description: "",
  input: z.object({ question: z.string() }),
  repeatable: true,
  run: async ({ question }, context) => (await context.ask({ kind: "question", title: question })) ?? "no answer",
})
const look = defineTool({
  name: "look",
  description: "",
  input: z.object({}),
  repeatable: true,
  run: async () => "a tulip",
})

describe.each(STORES)("a send on %s", (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ kind, agent: { tools: [askPerson, look] } })
  })
  afterAll(() => server.close())

  let count = 0
  const fresh = async () => {
    const path = pathOf("host", `talk-${++count}`)
    await ask(server, "PUT", path)
    return path
  }
  const post = (path: string, headers: Ask["headers"], text = "Hello") =>
    ask(server, "POST", `${path}/messages`, { body: { text }, ...(headers === undefined ? {} : { headers }) })
  const isIdle = (path: string) => eventually(async () => (await open(server, path)).status.state).toBe("idle")

  test("[API-20] waits for the reply: its text, its messages, its state", async () => {
    const path = await fresh()
    server.script([{ type: "text", text: "Let me look." }, ...calls("look", {})], says("It is a tulip."))
    const answer = await post(path, { prefer: "wait=30" })
    expect(answer.status).toBe(200)
    expect(answer.headers["preference-applied"]).toBe("wait=30")
    const reply = replySchema.parse(JSON.parse(answer.text))
    expect(reply).toMatchObject({
      outcome: "started",
      state: "done",
      text: "Let me look.\n\nIt is a tulip.",
      ask: null,
    })
    const { messages } = await open(server, path)
    expect(reply.messages).toEqual(messages.filter(({ role }) => role === "agent"))
    expect(reply.messages).toHaveLength(2)
  })

  test("[API-20] responds 202 when the time is over, and the turn continues; a repeat gets its reply", async () => {
    const path = await fresh()
    const held = gate()
    server.script([{ type: "text", text: "begun " }, held, { type: "text", text: "and ended" }, finish()])
    const headers = { prefer: "respond-async, wait=1", "idempotency-key": `late-${kind}` }
    const answer = await post(path, headers)
    expect([answer.status, answer.headers["preference-applied"]]).toEqual([202, "wait=1"])
    const accepted = acceptedSchema.parse(JSON.parse(answer.text))
    expect(accepted.state).toBe("running")
    const again = post(path, { ...headers, prefer: "wait=30" })
    held.open()
    const reply = replySchema.parse(JSON.parse((await again).text))
    expect(reply).toMatchObject({ message: accepted.message, state: "done", text: "begun and ended" })
    const later = replySchema.parse(JSON.parse((await post(path, { ...headers, prefer: "wait=30" })).text))
    expect(later).toEqual(reply)
    expect((await open(server, path)).messages.filter(({ role }) => role === "person")).toHaveLength(1)
  })

  test("[API-20] responds with the ask that the reply waits for; after the answer, a repeat gets the rest", async () => {
    const path = await fresh()
    server.script(calls("ask_person", { question: "Red?" }), says("Red it is."))
    const headers = { prefer: "wait=30", "idempotency-key": `ask-${kind}` }
    const asking = replySchema.parse(JSON.parse((await post(path, headers)).text))
    expect(asking).toMatchObject({ state: "asking", ask: { title: "Red?", state: "open" }, text: "" })
    await ask(server, "POST", `${path}/answer`, { body: { answer: "yes" } })
    const done = replySchema.parse(JSON.parse((await post(path, headers)).text))
    expect(done).toMatchObject({ state: "done", ask: null, text: "Red it is." })
  })

  test("[API-20] a message that waits behind another gets its own reply; one removed from the queue is refused", async () => {
    const path = await fresh()
    const held = gate()
    server.script([held, ...says("First.")], says("Second."))
    await send(server, path, "one")
    const second = post(path, { prefer: "wait=60" }, "two")
    await eventually(async () => (await open(server, path)).queued).toBe(1)
    const third = post(path, { prefer: "wait=60" }, "three")
    await eventually(async () => (await open(server, path)).queued).toBe(2)
    const { queue } = await open(server, path)
    await ask(server, "DELETE", `${path}/queue/${queue[1]?.id}`)
    expectProblem(await third, expected("message.not-queued"))
    held.open()
    expect(replySchema.parse(JSON.parse((await second).text))).toMatchObject({ outcome: "queued", text: "Second." })
  })

  test("[API-20] a steering message gets the rest of the turn it joins", async () => {
    const path = await fresh()
    const held = gate()
    server.script([{ type: "text", text: "One." }, held, ...calls("look", {})], says("Two, as you said."))
    await send(server, path, "one")
    await eventually(async () => (await logOf(server, path)).some(({ type }) => type === "deltas")).toBe(true)
    const steered = ask(server, "POST", `${path}/messages`, {
      body: { text: "and two", mode: "steer" },
      headers: { prefer: "wait=30" },
    })
    await eventually(async () => JSON.stringify(await logOf(server, path))).toContain("and two")
    held.open()
    const reply = replySchema.parse(JSON.parse((await steered).text))
    expect(reply).toMatchObject({ outcome: "steering", state: "done", text: expect.stringContaining("as you said") })
  })

  test.each(["wait=soon", "wait=-1", "return=minimal", "wait", ""])(
    "[API-20] ignores the preference %j",
    async (prefer) => {
      const path = await fresh()
      const answer = await post(path, { prefer })
      expect([answer.status, answer.headers["preference-applied"]]).toEqual([202, undefined])
      expect(JSON.parse(answer.text)).not.toHaveProperty("state")
      await isIdle(path)
    },
  )

  test("[API-20] waits no longer than the limit, and says so; wait=0 does not wait", async () => {
    const path = await fresh()
    const answer = await post(path, { prefer: "wait=99999" })
    expect([answer.status, answer.headers["preference-applied"]]).toEqual([200, `wait=${limits.sendWaitSeconds}`])
    const held = gate()
    server.script([held, ...says("Later.")])
    expect((await post(path, { prefer: "wait=0" })).status).toBe(202)
    held.open()
    await isIdle(path)
  })

  test("[API-21] streams the turn events of the reply, and ends with it", async () => {
    const path = await fresh()
    server.script([{ type: "text", text: "Look: " }, ...calls("look", {})], says("a tulip."))
    const answer = await post(path, EVENTS)
    expect(answer.status).toBe(200)
    expect(answer.headers["content-type"]).toMatch(/^text\/event-stream/)
    const [first, ...frames] = framesIn(answer.text)
    expect(acceptedSchema.parse(JSON.parse(first?.data ?? ""))).toMatchObject({ outcome: "started" })
    const events = frames.map(({ data }) => JSON.parse(data) as TurnEvent)
    expect(frames.map(({ event, id }) => [event, id])).toEqual(
      events.map(({ type, offset, n }) => [type, `${offset}.${n}`]),
    )
    const kinds = events.map(({ type }) => type).filter((type) => type !== "text-delta")
    expect([kinds[0], kinds.at(-1)]).toEqual(["turn-started", "turn-ended"])
    expect(kinds).toContain("tool-output")
    expect(spoken(events)).toBe("Look: a tulip.")
  })

  test("[API-21] a client that accepts JSON too gets JSON", async () => {
    const path = await fresh()
    const answer = await post(path, { accept: "application/json, text/event-stream" })
    expect([answer.status, answer.headers["content-type"]]).toEqual([202, "application/json"])
    await isIdle(path)
  })

  test("[API-21] a connection cut in the middle resumes after the last event, twice, with the same bytes", async () => {
    const path = await fresh()
    const key = { ...EVENTS, "idempotency-key": `cut-${kind}` }
    server.script(says("One two three four five."))
    const whole = (await post(path, key)).text
    const frames = framesIn(whole)
    for (const at of [2, 4]) {
      const id = frames[at]?.id ?? ""
      const rest = (await post(path, { ...key, "last-event-id": id })).text
      expect(rest.slice(rest.indexOf("\n\n") + 2)).toBe(whole.slice(whole.indexOf(`id:${id}\n\n`) + id.length + 5))
    }
    expect((await open(server, path)).messages.filter(({ role }) => role === "person")).toHaveLength(1)
  })

  test("[API-21] ends at an ask that is open, and continues after its answer", async () => {
    const path = await fresh()
    server.script(calls("ask_person", { question: "Red?" }), says("Red it is."))
    const key = { ...EVENTS, "idempotency-key": `asks-${kind}` }
    const before = framesIn((await post(path, key)).text)
    expect(before.at(-1)?.event).toBe("ask-opened")
    await ask(server, "POST", `${path}/answer`, { body: { answer: "yes" } })
    const after = framesIn((await post(path, { ...key, "last-event-id": before.at(-1)?.id ?? "" })).text)
    expect(after[1]?.event).toBe("ask-closed")
    expect(after.at(-1)?.event).toBe("turn-ended")
  })

  test("[API-21] a resume point that does not exist is refused, and nothing is sent", async () => {
    const path = await fresh()
    await post(path, { prefer: "wait=30" })
    const head = await headOf(server, path)
    const wrong = [
      ["nonsense", "offset.invalid"],
      [head, "offset.invalid"],
      ["now.0", "offset.invalid"],
      ["0000000000999999_abcdefg.0", "offset.gone"],
      [`${head.split("_")[0]}_0000000.0`, "offset.gone"],
    ] as const
    for (const [id, code] of wrong) {
      const answer = await post(path, { ...EVENTS, "last-event-id": id }, "not stored")
      expectProblem(answer, expected(code), id)
    }
    expect(await headOf(server, path)).toBe(head)
  })

  test("[API-21] a disconnect does not stop the turn", async () => {
    for (const headers of [EVENTS, { prefer: "wait=60" }]) {
      const path = await fresh()
      const held = gate()
      server.script([{ type: "text", text: "begun " }, held, { type: "text", text: "and ended" }, finish()])
      const left = new AbortController()
      const url = `http://127.0.0.1:${server.port}${path}/messages`
      const all = { ...headers, authorization: `Bearer ${server.token}`, "content-type": "application/json" }
      const response = fetch(url, { method: "POST", headers: all, body: '{"text":"hi"}', signal: left.signal })
      await eventually(async () => (await open(server, path)).status.turn).not.toBeNull()
      left.abort()
      await response.then((found) => found.text()).catch(() => undefined)
      held.open()
      await isIdle(path)
      expect((await open(server, path)).messages.at(-1)).toMatchObject({
        state: "done",
        parts: [{ text: "begun and ended" }],
      })
    }
  })
})

describe("curl", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  test("[API-20, API-21] sends and waits, and streams", async () => {
    const url = `http://127.0.0.1:${server.port}${pathOf("host", "main")}/messages`
    const common = ["-sN", url, "-H", `Authorization: Bearer ${server.token}`, "--json", '{ "text": "hello" }']
    const waited = await curl([...common, "-H", "Prefer: wait=30"])
    if (waited === undefined) return
    expect(replySchema.parse(JSON.parse(waited)).text).toBe(ANSWER)
    const streamed = await curl([...common, "-H", "Accept: text/event-stream"])
    expect(spoken(framesIn(streamed ?? "").map(({ data }) => JSON.parse(data)))).toBe(ANSWER)
  })
})

/** Its output; undefined if it is not installed. */
function curl(args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn("curl", args)
    let out = ""
    child.stdout.on("data", (bytes: Buffer) => {
      out += bytes.toString()
    })
    child.on("error", (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? resolve(undefined) : reject(error)))
    child.on("close", (code) => (code === 0 ? resolve(out) : reject(new Error(`curl ended with ${code}`))))
  })
}

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

function spoken(events: readonly TurnEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("")
}
