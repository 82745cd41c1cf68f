/** [SEC-9] The limit of streams per person; closing a stream frees its slot. */
import { limits } from "@parlor/protocol"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ask, expectProblem, type Following, follow } from "./client.ts"
import { eventually, pathOf } from "./conversations.ts"
import { startTestServer, type TestServer } from "./server.ts"

const stream = `${pathOf("host", "main")}/events?offset=-1&live=sse`
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

test("[SEC-9] a person's streams are bounded, another person's are not taken from theirs", async () => {
  const open: Following[] = []
  while (open.length < limits.streamsPerPerson)
    open.push(...(await Promise.all(Array.from({ length: 50 }, () => follow(server, stream)))))
  expect(open.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
  const refused = await ask(server, "GET", stream)
  expectProblem(refused, { status: 429, code: "rate.exceeded" })
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
  expect((await ask(server, "GET", "/v1/agents")).status).toBe(200)
  const ana = { token: await server.addKey({ person: "ana" }) }
  const hers = await follow(server, stream, ana)
  expect(hers.status).toBe(200)
  for (const following of [...open, hers]) following.leave()
  await eventually(() => opens(stream)).toBe(200)
})

test("[SEC-9] readers that leave at once, before they were answered too, leave no place taken", async () => {
  for (let round = 0; round < 8; round++)
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const leaving = follow(server, stream, { headers: { "x-round": `${round}/${n}` } })
        const following = await leaving
        following.leave()
      }),
    )
  await eventually(() => opens(stream)).toBe(200)
})

async function opens(path: string): Promise<number> {
  const following = await follow(server, path)
  following.leave()
  return following.status
}
