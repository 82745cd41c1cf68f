/** Schedules, sends with an envelope and notices over HTTP (TRG-1, TRG-3, TRG-7), on both stores. */
import type { Courier, Parcel } from "@parlor/core"
import { limits, routes } from "@parlor/protocol"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { ask, expected, expectProblem, read } from "./client.ts"
import { converse, eventually, open, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const HOUR = 3_600_000

describe.each(STORES)("schedules on %s", (kind) => {
  let server: TestServer
  let branches = 0
  let branch: string
  let path: string
  const taken: Parcel[] = []
  const courier: Courier = {
    defect: (url) => (url.startsWith("https://") ? undefined : "Not there."),
    take: async (parcel) => {
      taken.push(parcel)
      return { ok: true }
    },
  }

  beforeAll(async () => {
    server = await startTestServer({ kind, courier })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    branches += 1
    branch = `schedule-${branches}`
    path = pathOf("host", branch)
    await ask(server, "PUT", path)
  })

  const make = (body: object) =>
    read(server, routes.makeSchedule.answer.schema, "POST", "/v1/schedules", {
      body: { agent: "host", branch, text: "Look.", ...body },
    })
  const one = (id: string) => read(server, routes.openSchedule.answer.schema, "GET", `/v1/schedules/${id}`)

  test("[TRG-3] one that is due soon comes by itself, and says what became of it", async () => {
    // Far enough in the future, even if creating it is slow.
    const at = Date.now() + 2_500
    const made = await make({ when: { at: new Date(at).toISOString() }, name: "Soon" })
    expect(made).toMatchObject({ when: { at }, nextAt: at, state: "active", missed: "once", last: null, name: "Soon" })
    await eventually(async () => (await open(server, path)).messages.length).toBe(2)
    const { messages } = await open(server, path)
    expect(messages[0]?.trigger).toMatchObject({
      source: "schedule",
      scheduleId: made.id,
      deliveryId: new Date(at).toISOString(),
    })
    expect(messages[0]?.trigger?.firedAt).toBeGreaterThanOrEqual(at)
    await eventually(() => one(made.id)).toMatchObject({
      state: "done",
      nextAt: null,
      firings: [{ outcome: "started", became: "done", dueAt: at }],
    })
  })

  test("[TRG-7] people see, pause, edit, fire once and delete theirs", async () => {
    const made = await make({ when: { cron: "30 2 * * *", timeZone: "Europe/Berlin" } })
    const place = `/v1/schedules/${made.id}`
    const list = async (query = "") =>
      (await read(server, routes.listSchedules.answer.schema, "GET", `/v1/schedules${query}`)).schedules
    expect((await list(`?branch=${branch}`)).map(({ id }) => id)).toEqual([made.id])
    expect(await list("?agent=critic")).toEqual([])
    const change = (body: object) => read(server, routes.changeSchedule.answer.schema, "PATCH", place, { body })
    expect(await change({ paused: true })).toMatchObject({ state: "paused" })
    expect(await change({ paused: false, text: "Look again.", missed: "all" })).toMatchObject({
      state: "active",
      missed: "all",
      payload: { source: "Look again." },
    })
    const fire = (key: string) => ask(server, "POST", `${place}/fire`, { headers: { "idempotency-key": key } })
    const fired = await fire("k")
    expect(fired.status).toBe(202)
    expect(JSON.parse((await fire("k")).text).message).toBe(JSON.parse(fired.text).message)
    await eventually(async () => (await open(server, path)).messages.length).toBe(2)
    expect((await list(`?branch=${branch}`))[0]?.last).toMatchObject({ outcome: "started", dueAt: null })
    expect((await ask(server, "DELETE", place)).status).toBe(204)
    expectProblem(await ask(server, "GET", place), expected("schedule.unknown"))
  })

  test("[TRG-4] they go with their conversation, and leave nothing behind", async () => {
    const made = await make({ when: { everyMs: HOUR }, text: "canary-in-a-schedule" })
    await ask(server, "POST", `/v1/schedules/${made.id}/fire`)
    await eventually(async () => (await open(server, path)).messages.length).toBe(2)
    expect((await ask(server, "DELETE", path)).status).toBe(204)
    expectProblem(await ask(server, "GET", `/v1/schedules/${made.id}`), expected("schedule.unknown"))
    const left = Object.entries(await server.dump()).filter(
      ([table, rows]) => table !== "audit" && JSON.stringify(rows).includes("canary-in-a-schedule"),
    )
    expect(left).toEqual([])
  })

  test.each([
    [{ when: { at: 5 } }, "schedule.invalid", "/when/at"],
    [{ when: { at: "2026-01-01T00:00:00" } }, "request.invalid", "/when/at"],
    [{ when: { everyMs: 10 } }, "request.invalid", "/when/everyMs"],
    [{ when: { everyMs: 1.5e12 } }, "request.invalid", "/when/everyMs"],
    [{ when: { cron: "* * * *" } }, "schedule.invalid", "/when/cron"],
    [{ when: { cron: "0 0 30 2 *" } }, "schedule.invalid", "/when/cron"],
    [{ when: { cron: "x".repeat(limits.cronLength + 1) } }, "request.invalid", "/when/cron"],
    [{ when: { cron: "* * * * *", timeZone: "Mars/Olympus" } }, "request.invalid", "/when/timeZone"],
    [{ when: { cron: "* * * * *", timeZone: "+02:00" } }, "request.invalid", "/when/timeZone"],
    [{ when: { everyMs: HOUR }, missed: "never" }, "request.invalid", "/missed"],
    [{ when: { everyMs: HOUR }, text: "" }, "request.invalid", "/text"],
    [{ when: { everyMs: HOUR }, branch: "none" }, "conversation.unknown", undefined],
    [{ when: { everyMs: HOUR }, agent: "none" }, "agent.unknown", undefined],
  ] as const)("[SEC-5] %# refuses what is no schedule, with a pointer to it", async (body, code, pointer) => {
    const answer = await ask(server, "POST", "/v1/schedules", { body: { agent: "host", branch, text: "x", ...body } })
    expectProblem(answer, expected(code, pointer))
  })

  test("[TRG-1] a program says that nobody is at the keyboard; who it is comes from its key", async () => {
    const token = await server.addKey({ id: `key_of_${branch}` })
    const send = (trigger: object, text = "Hi.") =>
      ask(server, "POST", `${path}/messages`, { token, body: { text, trigger } })
    const first = await send({ deliveryId: "run-1", headers: { "x-run": "9" } })
    expect(first.status, first.text).toBe(202)
    const again = await send({ deliveryId: "run-1" }, "Something else.")
    expect(JSON.parse(again.text).message).toBe(JSON.parse(first.text).message)
    await eventually(async () => (await open(server, path)).messages.length).toBe(2)
    expect((await open(server, path)).messages[0]?.trigger).toMatchObject({
      source: "api",
      deliveryId: "run-1",
      headers: { "x-run": "9" },
      subject: `key_of_${branch}`,
    })
    expectProblem(await send({ subject: "somebody" }), expected("request.invalid", "/trigger"))
    await converse(server, path, "typed", { token })
    expect((await open(server, path)).messages[2]?.trigger).toBeNull()
  })

  test("[TRG-9] a notice is made with a secret that is shown once, and told of what happens after it", async () => {
    const body = { url: "https://example.com/n", name: "phone" }
    const made = await read(server, routes.makeNotice.answer.schema, "POST", "/v1/notices", { body })
    expect(made.secret).toMatch(/^whsec_/)
    const place = `/v1/notices/${made.id}`
    await converse(server, path, "hello")
    // Turns of other tests may end only now, and are reported too.
    const ofHere = () => taken.filter((parcel) => parcel.body.includes(JSON.stringify(branch)))
    await eventually(() => ofHere().map(({ id }) => id.startsWith(`msg_${made.id}_`))).toEqual([true])
    expect(ofHere()[0]).toMatchObject({ url: body.url, secret: made.secret })
    for (const where of ["/v1/notices", place]) expect((await ask(server, "GET", where)).text).not.toContain("whsec_")
    expect((await ask(server, "PATCH", place, { body: { paused: true } })).status).toBe(200)
    expect(await read(server, routes.testNotice.answer.schema, "POST", `${place}/test`)).toEqual({
      delivered: true,
      error: null,
    })
    expect((await ask(server, "DELETE", place)).status).toBe(204)
    const nowhere = await ask(server, "POST", "/v1/notices", { body: { url: "http://10.0.0.1/" } })
    expectProblem(nowhere, expected("notice.url", "/url"))
    const nothing = await ask(server, "POST", "/v1/notices", { body: { url: body.url, events: [] } })
    expectProblem(nothing, expected("request.invalid", "/events"))
  })
})
