import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { startParlor, type TestParlor, until } from "./parlor.ts"

// Every command is a separate process: generous timeouts for slow CI.
vi.setConfig({ testTimeout: 90_000 })

let parlor: TestParlor
let told: Server
const got: string[] = []
beforeAll(async () => {
  told = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += chunk
    })
    request.on("end", () => {
      got.push(
        `${request.headers["webhook-id"]} ${request.headers["webhook-timestamp"]} ${request.headers["webhook-signature"]} ${body}`,
      )
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => told.listen(0, "127.0.0.1", resolve))
  parlor = await startParlor({ PARLOR_NOTICE_HOSTS: `127.0.0.1:${(told.address() as AddressInfo).port}` })
})
afterAll(async () => {
  await parlor.close()
  told.close()
})

describe("parlor schedules", () => {
  test("[TRG-7] creates, lists, shows, pauses, resumes, fires and deletes", async () => {
    expect(await parlor.run(["schedules"])).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringContaining("There are no schedules"),
    })
    const made = await parlor.run([
      "schedules",
      "add",
      "--cron",
      "30 2 * * *",
      "--zone",
      "Europe/Berlin",
      "--name",
      "news",
      "what",
      "is",
      "new?",
    ])
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^sch_\w+\n$/) })
    expect((await parlor.run(["schedules"])).out).toMatch(
      /^sch_\S+ {2}host\/main {2}every day at 02:30 \(Europe\/Berlin\) {2}next .* never fired {2}news\n$/,
    )
    expect(await parlor.run(["schedules", "pause", "news"])).toMatchObject({
      code: 0,
      err: expect.stringContaining("Paused sch_"),
    })
    expect((await parlor.run(["schedules", "list", "--json"])).out).toContain('"state":"paused"')
    expect((await parlor.run(["schedules", "resume", "news"])).code).toBe(0)
    expect((await parlor.run(["schedules", "fire", "news"])).code).toBe(0)
    const [{ id } = { id: "" }] = await parlor.sdk.schedules.list()
    await until(
      () => parlor.sdk.schedules.open(id),
      ({ firings }) => firings[0]?.became === "done",
    )
    expect((await parlor.run(["schedules", "show", "news"])).out).toMatch(/ done {2}msg_/)
    expect((await parlor.run(["schedules", "rm", "news"])).code).toBe(0)
    expect(await parlor.sdk.schedules.list()).toEqual([])
  })

  test("[TRG-3] one that is due soon fires; invalid ones are refused with an error", async () => {
    const made = await parlor.run(["schedules", "add", "--in", "3s", "hello"])
    await until(
      () => parlor.sdk.schedules.open(made.out.trim()),
      ({ state }) => state === "done",
    )
    for (const [args, code, why] of [
      [["hello"], 2, "Use exactly one of"],
      [["--in", "soon", "hello"], 2, "not a valid duration"],
      [["--cron", "x", "hello"], 5, "five fields"],
      [["--at", "never", "hello"], 2, "not a valid time"],
      [["--every", "1h", "--missed", "never", "hello"], 2, "--missed must be one of"],
    ] as const)
      expect(await parlor.run(["schedules", "add", ...args])).toMatchObject({
        code,
        err: expect.stringContaining(why),
      })
  })
})

describe("parlor hooks and notices", () => {
  test("[TRG-5] a webhook is created, its secret shown once, called, and its deliveries listed", async () => {
    const made = await parlor.run(["hooks", "add", "--name", "ci", "The build says {{body.status}}."])
    expect(made.err).toContain("not shown again")
    const [, url = ""] = /^url\s+(\S+)$/m.exec(made.out) ?? []
    const [, secret = ""] = /^secret\s+(whsec_\S+)$/m.exec(made.out) ?? []
    const body = '{"status":"red"}'
    const at = new Date()
    const headers = {
      "content-type": "application/json",
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign("msg_1", at, body),
    }
    expect((await fetch(url, { method: "POST", body, headers })).status).toBe(202)
    expect(await parlor.run(["hooks", "fire", "ci", '{"status":"green"}'])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/Fired hook_/),
    })
    const shown = await parlor.run(["hooks", "show", "ci"])
    expect(shown.out).toContain(url)
    expect(shown.out).not.toContain(secret)
    expect(shown.out.trim().split("\n")).toHaveLength(4)
    expect((await parlor.run(["hooks", "rotate", "ci"])).out).toMatch(/^whsec_\S+\n$/)
    expect((await parlor.run(["hooks", "rm", "ci"])).code).toBe(0)
    expect((await fetch(url, { method: "POST", body, headers })).status).toBe(404)
  })

  test("[SEC-7] an outgoing webhook calls an allowed host, signed, and no other private one", async () => {
    const { port } = told.address() as AddressInfo
    expect(await parlor.run(["notices", "add", `http://127.0.0.1:${port + 1}/`])).toMatchObject({
      code: 5,
      err: expect.stringContaining("not a public address"),
    })
    const made = await parlor.run([
      "notices",
      "add",
      "-e",
      "turn.finished",
      "--name",
      "me",
      `http://127.0.0.1:${port}/n`,
    ])
    const [, secret = ""] = /^secret\s+(whsec_\S+)$/m.exec(made.out) ?? []
    expect(await parlor.run(["notices", "test", "me"])).toMatchObject({ code: 0, err: "Delivered.\n" })
    await parlor.run(["send", "hello"])
    const [id = "", seconds = "", signature = "", ...body] = (
      await until(
        () => got.at(-1) ?? "",
        (last) => last.includes("turn.finished"),
      )
    ).split(" ")
    const headers = { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signature }
    expect(new Webhook(secret).verify(body.join(" "), headers)).toMatchObject({
      type: "turn.finished",
      data: { agent: "host", state: "done" },
    })
    expect((await parlor.run(["notices"])).out).toContain("delivered")
    expect((await parlor.run(["notices", "rm", "me"])).code).toBe(0)
  })
})
