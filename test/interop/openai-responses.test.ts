/** The Responses API with OpenAI's own client, against a real server (API-5 to API-14). */
import { ModelFault, type Store } from "@parlor/core"
import { calls, finish, gate, says } from "@parlor/core/testing"
import type OpenAI from "openai"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { STORES, startTestServer, type TestServer } from "../http/server.ts"
import { wrapStore } from "../support/store-calls.ts"
import { type Client, framesOf, openaiClient } from "./openai.ts"
import { clock, pay, words } from "./tools.ts"

let server: TestServer
let client: Client

const state = (branch: string) => server.runtime.snapshot({ agent: "host", person: "me", branch }, { messages: 50 })
const branchOf = (response: OpenAI.Responses.Response) => response.conversation?.id ?? ""

async function visible(branch: string): Promise<readonly string[]> {
  const { messages } = await state(branch)
  return messages
    .filter(({ dimmed }) => !dimmed)
    .map(({ role, parts }) => `${role}: ${parts.map((part) => (part.type === "text" ? part.text : "")).join("")}`)
}

describe.each(STORES)("responses on %s", (kind) => {
  beforeEach(async () => {
    server = await startTestServer({ kind, agent: { tools: [pay, clock] } })
    client = openaiClient(server)
  })
  afterEach(() => server.close())

  it("[API-7] a response continues in its conversation, or branches from an older one", async () => {
    server.script(says("One."), says("Two."), says("Another two."), says("Named."))
    const first = await client.responses.create({ model: "host", input: "A" })
    expect(first).toMatchObject({ status: "completed", output_text: "One.", model: "host" })
    const second = await client.responses.create({ input: "B", previous_response_id: first.id })
    expect(branchOf(second)).toBe(branchOf(first))
    const other = await client.responses.create({ input: "C", previous_response_id: first.id })
    expect(branchOf(other)).not.toBe(branchOf(first))
    expect(await visible(branchOf(other))).toEqual(["person: A", "agent: One.", "person: C", "agent: Another two."])
    expect(await visible(branchOf(first))).toEqual(["person: A", "agent: One.", "person: B", "agent: Two."])
    const named = await client.responses.create({ model: "host", input: "D", conversation: "my-own" })
    expect(branchOf(named)).toBe("my-own")
    expect(await client.responses.retrieve(first.id)).toMatchObject({ status: "completed", output_text: "One." })
  })

  it("[API-10] [LOG-36] after its deltas were dropped, a response continues under the same numbers", async () => {
    server.script([...words("Let ", "me ", "look ", "again."), finish()])
    const stream = await client.responses.create({ model: "host", input: "Go", stream: true })
    const all: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of stream) all.push(event)
    const [created] = all
    const id = created?.type === "response.created" ? created.response.id : ""
    while ((await server.store.log.trim({ graceMs: -60_000 })).more);
    for (const after of all.slice(0, -1).map(({ sequence_number }) => sequence_number)) {
      const rest: OpenAI.Responses.ResponseStreamEvent[] = []
      for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: after }))
        rest.push(event)
      const isDelta = ({ type }: { readonly type: string }) => type === "response.output_text.delta"
      expect(rest.filter((event) => !isDelta(event))).toEqual(all.slice(after + 1).filter((event) => !isDelta(event)))
      const said = [...all.slice(0, after + 1), ...rest].map((event) =>
        event.type === "response.output_text.delta" ? event.delta : "",
      )
      // Of a text that the client has partly, only the end with the whole text follows.
      expect("Let me look again.".startsWith(said.join(""))).toBe(true)
    }
  })

  it("[API-7] tools are calls that the server made, and a stream adds up to the whole response", async () => {
    const time = { type: "tool", call: "call_1", name: "clock", input: "{}" } as const
    server.script(
      [{ type: "reasoning", text: "Hm." }, ...words("Let me ", "look."), time, finish("tools")],
      says("It is noon."),
    )
    const stream = client.responses.stream({ model: "host", input: "What time is it?" })
    const final = await stream.finalResponse()
    expect(final.output.map(({ type }) => type)).toEqual(["reasoning", "message", "mcp_call", "message"])
    expect(final.output[2]).toMatchObject({ name: "clock", arguments: "{}", output: "noon", status: "completed" })
    expect(final).toMatchObject(await client.responses.retrieve(final.id))
    const numbers = framesOf(client.bodies[0] ?? "").map((frame) => /"sequence_number":(\d+)\}$/.exec(frame)?.[1])
    expect(numbers).toEqual(numbers.map((_, index) => String(index)))
  })

  it("[API-7] text of a failed attempt is not shown twice; a failed turn is a failed response", async () => {
    const fault = new ModelFault("Too many requests.", { transient: true, retryAfterMs: 5 })
    server.script([...words("Half "), fault], [...words("Half ", "and half."), finish()])
    const stream = client.responses.stream({ model: "host", input: "Hi" })
    expect((await stream.finalResponse()).output_text).toBe("Half and half.")
    server.script([new ModelFault("It broke.", { transient: false })])
    const failed = await client.responses.create({ model: "host", input: "Hi" })
    expect(failed).toMatchObject({ status: "failed", error: { code: "server_error" } })
  })

  it("[API-7] in the background: queued, in progress, completed; and canceled in each state", async () => {
    const [one, two] = [gate(), gate()]
    server.script([...words("First "), one, ...words("done."), finish()], [...words("Second "), two, finish()])
    const send = (input: string) =>
      client.responses.create({ model: "host", input, conversation: "queue", background: true })
    const first = await send("1")
    expect(first.status).toBe("in_progress")
    const [second, third] = [await send("2"), await send("3")]
    expect([second.status, third.status]).toEqual(["queued", "queued"])
    const watching = openaiClient(server).responses.stream({ response_id: third.id })
    expect(await client.responses.cancel(third.id)).toMatchObject({ status: "cancelled", id: third.id })
    expect((await watching.finalResponse()).status).toBe("cancelled")
    expect((await client.responses.retrieve(third.id)).status).toBe("cancelled")
    const late = await openaiClient(server).responses.stream({ response_id: third.id }).finalResponse()
    expect(late).toMatchObject({ status: "cancelled", id: third.id })
    one.open()
    await expect.poll(async () => (await client.responses.retrieve(first.id)).status).toBe("completed")
    await expect.poll(async () => (await client.responses.retrieve(second.id)).output_text).toBe("Second ")
    expect((await client.responses.retrieve(second.id)).status).toBe("in_progress")
    const canceled = await client.responses.cancel(second.id)
    expect(canceled.status).toBe("cancelled")
    const stopped = await client.responses.retrieve(second.id)
    expect(stopped).toMatchObject({ status: "cancelled", output_text: "Second " })
    expect(await client.responses.cancel(second.id)).toEqual(canceled)
    expect(await client.responses.cancel(first.id)).toMatchObject({ status: "completed" })
    two.open()
    // The queue goes on for those behind it.
    expect((await client.responses.create({ model: "host", input: "4", conversation: "queue" })).status).toBe(
      "completed",
    )
  })

  it("[API-7] a response that is canceled while its stream is being opened is streamed to its end", async () => {
    await server.close()
    let afterRead: (() => Promise<unknown>) | undefined
    const wrap = (store: Store) =>
      wrapStore(store, (name, call) => {
        if (name !== "log.events") return call
        return async (...args) => {
          const [found, act] = [await call(...args), afterRead]
          afterRead = undefined
          await act?.()
          return found
        }
      })
    server = await startTestServer({ kind, wrap })
    client = openaiClient(server)
    const busy = gate()
    server.script([...words("One "), busy, finish()])
    const send = (input: string) =>
      client.responses.create({ model: "host", input, conversation: "queue", background: true })
    await send("1")
    const queued = await send("2")
    // The log was read and does not contain the removal yet; the queue is read after it.
    afterRead = () => client.responses.cancel(queued.id)
    const streamed = await openaiClient(server).responses.stream({ response_id: queued.id }).finalResponse()
    expect(afterRead).toBeUndefined()
    expect(streamed).toMatchObject({ status: "cancelled", id: queued.id })
    busy.open()
  })

  it("[API-10] a connection cut in the middle resumes with the same bytes, on a second device too", async () => {
    const held = gate()
    server.script([...words("One ", "two "), held, ...words("three."), finish()])
    const body = { model: "host", input: "Count", background: true, stream: true } as const
    const leaving = openaiClient(server, { fetch })
    const seen: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await leaving.responses.create(body)) {
      seen.push(event)
      if (event.type === "response.output_text.delta") break
    }
    const id = seen[0]?.type === "response.created" ? seen[0].response.id : ""
    const last = seen.at(-1)?.sequence_number ?? -1
    const [again, whole] = [openaiClient(server), openaiClient(server)]
    const resumed = read(await again.responses.retrieve(id, { stream: true, starting_after: last }))
    const watched = read(await whole.responses.retrieve(id, { stream: true }))
    await expect.poll(() => again.bodies[0]).toContain("two ")
    held.open()
    const [rest, all] = await Promise.all([resumed, watched])
    expect([...seen, ...rest]).toEqual(all)
    expect(framesOf(whole.bodies[0] ?? "").slice(last + 1)).toEqual(framesOf(again.bodies[0] ?? ""))
    // And when everything is over.
    await read(await client.responses.retrieve(id, { stream: true, starting_after: last }))
    expect(framesOf(client.bodies[0] ?? "")).toEqual(framesOf(again.bodies[0] ?? ""))
    expect(all.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } })
  })

  it("[API-10] a number that does not exist yet is refused", async () => {
    const { id } = await client.responses.create({ model: "host", input: "Hi" })
    const events = await read(await client.responses.retrieve(id, { stream: true }))
    const none = await read(await client.responses.retrieve(id, { stream: true, starting_after: events.length - 1 }))
    expect(none).toEqual([])
    const beyond = client.responses.retrieve(id, { stream: true, starting_after: events.length })
    await expect(beyond).rejects.toMatchObject({ status: 400, param: "starting_after" })
  })

  it("[API-11] a request repeated by the client is one message, and so is one with a key", async () => {
    let lose = true
    const losing = openaiClient(server, {
      maxRetries: 2,
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        if (!lose) return response
        lose = false
        await response.body?.cancel()
        throw new TypeError("fetch failed")
      },
    })
    const reply = await losing.responses.create({ model: "host", input: "Once" })
    expect(await visible(branchOf(reply))).toHaveLength(2)
    const keyed = { headers: { "Idempotency-Key": "k-1" } }
    const body = { model: "host", input: "Twice" }
    const [one, two] = [await client.responses.create(body, keyed), await client.responses.create(body, keyed)]
    expect(two).toEqual(one)
    const options = { agent: "host", archived: false, ephemeral: false, cursor: undefined, limit: 50 }
    expect((await server.runtime.list("me", options)).conversations).toHaveLength(2)
  })

  it("[API-12] the next message answers an approval, and the call continues in the next response", async () => {
    server.script(calls("pay", { amount: 5 }), says("Paid."), calls("pay", { amount: 7 }, "call_2"), says("Not paid."))
    const asked = await client.responses.create({ model: "host", input: "Pay" })
    expect(asked.status).toBe("completed")
    expect(asked.output_text).toContain("Reply yes or no.")
    const paid = await client.responses.create({ input: "yes", previous_response_id: asked.id })
    expect(paid.output_text).toBe("Paid.")
    expect(paid.output[0]).toMatchObject({ type: "mcp_call", name: "pay", output: '{"paid":5}' })
    const again = await client.responses.create({ input: "Once more", previous_response_id: paid.id })
    const denied = await client.responses.create({ input: "no", previous_response_id: again.id })
    expect(denied.output[0]).toMatchObject({ type: "mcp_call", status: "failed" })
    expect(denied.output_text).toBe("Not paid.")
    expect(await client.responses.retrieve(paid.id)).toMatchObject({ output_text: "Paid." })
  })

  it("[API-13] store: false leaves nothing behind", async () => {
    const gone = await client.responses.create({ model: "host", input: "Secret", store: false })
    expect(gone.status).toBe("completed")
    await expect(client.responses.retrieve(gone.id)).rejects.toMatchObject({ status: 404 })
    const options = { agent: "host", archived: false, cursor: undefined, limit: 50 }
    expect((await server.runtime.list("me", { ...options, ephemeral: true })).conversations).toEqual([])
    const both = client.responses.create({ model: "host", input: "x", store: false, background: true })
    await expect(both).rejects.toMatchObject({ status: 400, param: "store" })
  })

  it("[API-14] a response is deleted with its conversation, if it is the only one there", async () => {
    const first = await client.responses.create({ model: "host", input: "A" })
    const second = await client.responses.create({ input: "B", previous_response_id: first.id })
    await expect(client.responses.delete(first.id)).rejects.toMatchObject({ status: 409 })
    expect((await client.responses.retrieve(second.id)).status).toBe("completed")
    const alone = await client.responses.create({ model: "host", input: "C" })
    await client.responses.delete(alone.id)
    await expect(client.responses.retrieve(alone.id)).rejects.toMatchObject({ status: 404 })
  })
})

async function read<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const events: T[] = []
  for await (const event of stream) events.push(event)
  return events
}
