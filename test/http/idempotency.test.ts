/** [QUE-11] One key, one message: sequentially, concurrently, and per person. */
import { limits } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Ask, ask, expectProblem, jsonOf } from "./client.ts"
import { converse, headOf, historyOf, pathOf, untilTurnEnds, visible } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const main = pathOf("host", "main")

describe.each(STORES)("[QUE-11] idempotency on %s", (kind) => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })

  afterAll(() => server.close())

  const post = (path: string, body: unknown, key: string, options: Ask = {}) =>
    ask(server, "POST", `${path}/messages`, { ...options, body, headers: { "idempotency-key": key } })

  async function branch(name: string): Promise<string> {
    const path = pathOf("host", name)
    await ask(server, "PUT", path)
    return path
  }

  test("the same key and body give the same answer, even after the turn has run", async () => {
    const path = await branch("repeat")
    const first = await converse(server, path, "once", { headers: { "idempotency-key": "k" } })
    const head = await headOf(server, path)
    for (const body of ['{"text":"once"}', ' { "text" : "\\u006fnce" , "mode":"immediate" } ']) {
      const again = await post(path, body, "k")
      expect(again.status).toBe(202)
      expect(jsonOf(again)).toEqual(first)
    }
    expect(await headOf(server, path)).toBe(head)
  })

  test("the same key with another body is refused", async () => {
    const path = await branch("reused")
    await converse(server, path, "one", { headers: { "idempotency-key": "k" } })
    const head = await headOf(server, path)
    for (const body of [{ text: "two" }, { text: "one", mode: "queued" }])
      expectProblem(await post(path, body, "k"), { status: 422, code: "idempotency.reused" })
    expect(await headOf(server, path)).toBe(head)
  })

  test("twenty at once make one message", async () => {
    const path = await branch("storm")
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, { text: "storm" }, "k")))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const [first] = answers
    if (first !== undefined) await untilTurnEnds(server, path, JSON.parse(first.text))
    expect(visible(await historyOf(server, path, 50)).filter((line) => line === "person: storm")).toHaveLength(1)
  })

  test("twenty at once with two bodies: one wins, the other is refused", async () => {
    const path = await branch("race")
    const bodies = Array.from({ length: 20 }, (_, n) => ({ text: n % 2 ? "odd" : "even" }))
    const answers = await Promise.all(bodies.map((body) => post(path, body, "k")))
    const won = new Set(answers.flatMap((answer, n) => (answer.status === 202 ? [bodies[n]?.text] : [])))
    expect(won.size).toBe(1)
    expect(new Set(answers.flatMap((answer) => (answer.status === 202 ? [answer.text] : []))).size).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 202))
      expectProblem(answer, { status: 422, code: "idempotency.reused" })
    const people = visible(await historyOf(server, path, 50)).filter((line) => line.startsWith("person"))
    expect(people).toEqual([`person: ${[...won][0]}`])
  })

  test("a key belongs to one person and one conversation", async () => {
    const ana: Ask = { token: await server.addKey({ person: "ana" }) }
    const one = await post(main, { text: "mine" }, "shared")
    const two = await post(main, { text: "hers" }, "shared", ana)
    const three = await post(await branch("elsewhere"), { text: "elsewhere" }, "shared")
    expect([one, two, three].map(({ status }) => status)).toEqual([202, 202, 202])
    expect(new Set([one, two, three].map((answer) => (jsonOf(answer) as { message: string }).message)).size).toBe(3)
  })

  test("a refused send does not use its key up", async () => {
    const path = await branch("refused-first")
    expect((await post(path, { text: "" }, "k")).status).toBe(422)
    expect((await post(path, { text: "good" }, "k")).status).toBe(202)
  })

  test.each(["", "x".repeat(limits.idempotencyKeyLength + 1), "a\tb", "\u00fc"])(
    "an invalid key is refused: %j",
    async (key) => {
      const path = await branch("bad-key")
      const head = await headOf(server, path)
      const answer = await post(path, { text: "hi" }, key)
      expectProblem(answer, { status: 422, code: "request.invalid", pointer: "Idempotency-Key" })
      expect(await headOf(server, path)).toBe(head)
    },
  )

  test.each(["x".repeat(limits.idempotencyKeyLength), "a b", "__proto__", "'; DROP TABLE once; --", "%00"])(
    "an unusual one is accepted: %j",
    async (key) => {
      const path = await branch("odd-key")
      const first = await post(path, { text: "hi", mode: "paused" }, key)
      expect(first.status, first.text).toBe(202)
      expect((await post(path, { text: "hi", mode: "paused" }, key)).text).toBe(first.text)
    },
  )
})
