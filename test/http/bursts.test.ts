/** Hundreds of simultaneous sends to one conversation, each on its own connection (QUE-16). */
import { Agent, request } from "node:http"
import type { Store } from "@parlor/core"
import { finish, gate } from "@parlor/core/testing"
import type { Sent } from "@parlor/protocol"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { withMembers } from "../support/with-members.ts"
import { ask, jsonOf } from "./client.ts"
import { eventually, logOf, open, pathOf, send } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const BURSTS = [150, 300]
const TIMEOUT_MS = 120_000

describe.each(STORES)("bursts of sends on %s", (kind) => {
  let server: TestServer
  let agent: Agent
  let branches = 0
  const decided = { again: 0 }

  beforeAll(async () => {
    server = await startTestServer({ kind, wrap: (store) => countingMoved(store, decided) })
    agent = new Agent({ keepAlive: true, maxSockets: 400 })
  })

  afterEach(() => agent.destroy())
  afterAll(() => server.close())

  test.each(BURSTS)(
    "[QUE-16] %i at once are all taken, each once, in one order; and so is the next burst",
    {
      timeout: TIMEOUT_MS,
    },
    async (many) => {
      const { path, busy } = await busyConversation()
      decided.again = 0
      const first = await burst(path, "first", many)
      expect(first.map(({ place }) => place).toSorted(byNumber)).toEqual(numbers(1, many))
      await expectOrder(path, first)
      const second = await burst(path, "second", many)
      expect(second.map(({ place }) => place).toSorted(byNumber)).toEqual(numbers(many + 1, 2 * many))
      await expectOrder(path, [...first, ...second])
      // Sends wait for each other, so the store hardly ever refuses one because of a conflict.
      expect(decided.again).toBeLessThan(many / 10)
      expect(jsonOf(await ask(server, "DELETE", `${path}/queue`))).toEqual({ removed: 2 * many })
      busy.open()
      await idle(path)
    },
  )

  test.each(BURSTS)(
    "[QUE-16] %i at once while a turn ends are all taken; the turn ends, and the next one starts",
    {
      timeout: TIMEOUT_MS,
    },
    async (many) => {
      const { path, busy, turn } = await busyConversation()
      const next = gate()
      server.script([{ type: "text", text: "Next" }, next, finish()])
      const half = burst(path, "before", many / 2)
      busy.open()
      const taken = (await Promise.all([half, burst(path, "after", many / 2)])).flat()
      await eventually(async () => stateOf(await turns(path), turn)).toBe("done")
      // One of them started the next turn: directly if it arrived between the two turns, otherwise from the queue.
      await eventually(async () => (await turns(path)).size).toBe(2)
      await eventually(async () => (await open(server, path)).queue.length).toBe(many - 1)
      const queued = taken.filter(({ outcome }) => outcome === "queued").map(({ message }) => message)
      expect(queued.length).toBeGreaterThanOrEqual(many - 1)
      expect((await insertedIds(path)).toSorted()).toEqual(queued.toSorted())
      await ask(server, "DELETE", `${path}/queue`)
      next.open()
      await idle(path)
    },
  )

  /** Its turn runs until `busy` is opened. */
  async function busyConversation() {
    const path = pathOf("host", `burst-${++branches}`)
    const busy = gate()
    server.script([{ type: "text", text: "Busy" }, busy, finish()])
    await ask(server, "PUT", path)
    const { turn } = await send(server, path, "begin")
    await eventually(async () => (await open(server, path)).messages.length).toBe(2)
    return { path, busy, turn }
  }

  const idle = (path: string) => eventually(async () => (await open(server, path)).status.state).toBe("idle")

  /** All requests are in flight before the first response, because each has its own connection. */
  async function burst(path: string, name: string, many: number): Promise<readonly Sent[]> {
    const answers = await Promise.all(numbers(1, many).map((n) => post(`${path}/messages`, { text: `${name} ${n}` })))
    const refused = answers.filter(({ status }) => status !== 202)
    expect(refused).toEqual([])
    return answers.map(({ text }) => JSON.parse(text) as Sent)
  }

  function post(path: string, body: unknown): Promise<{ readonly status: number; readonly text: string }> {
    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" }
    return new Promise((resolve, reject) => {
      const options = { agent, method: "POST", path, headers, host: "127.0.0.1", port: server.port }
      const asked = request(options, (incoming) => {
        let text = ""
        incoming.setEncoding("utf8")
        incoming.on("data", (chunk: string) => {
          text += chunk
        })
        incoming.on("error", reject)
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }))
      })
      asked.on("error", reject)
      asked.end(JSON.stringify(body))
    })
  }

  /** The log, the queue and the positions in the responses have the same order, with each message once. */
  async function expectOrder(path: string, sent: readonly Sent[]): Promise<void> {
    const byPlace = sent.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0)).map(({ message }) => message)
    expect(new Set(byPlace).size).toBe(sent.length)
    expect(await insertedIds(path)).toEqual(byPlace)
    expect((await open(server, path)).queue.map(({ id }) => id)).toEqual(byPlace)
  }

  async function insertedIds(path: string): Promise<string[]> {
    const log = await logOf(server, path)
    return log
      .filter(({ type, headers }) => type === "queue" && headers.operation === "insert")
      .map((change) => change.key)
  }

  async function turns(path: string): Promise<ReadonlyMap<string, string>> {
    const log = await logOf(server, path)
    return new Map(log.flatMap((change) => (change.type === "turns" ? [[change.key, change.value.state]] : [])))
  }
})

function countingMoved(store: Store, decided: { again: number }): Store {
  return withMembers(store, {
    log: {
      commit: async (batch) => {
        const answers = await store.log.commit(batch)
        decided.again += answers.filter((answer) => !answer.ok && answer.why === "moved").length
        return answers
      },
    },
  })
}

function stateOf(states: ReadonlyMap<string, string>, turn: string | undefined): string | undefined {
  return states.get(turn ?? "")
}

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

function byNumber(a: number | undefined, b: number | undefined): number {
  return (a ?? 0) - (b ?? 0)
}
