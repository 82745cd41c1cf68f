import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type LogFields, reasonFields } from "@parlor/core"
import { Fault } from "@parlor/protocol"
import { expect, test, vi } from "vitest"
import { calmLog, cleaner, createLog } from "./log.ts"

const clean = cleaner(["the-local-token-0123456789", "short"])

test.each([
  "Authorization: Bearer abc.def-ghi",
  "bearer token: Bearer the-local-token-0123456789",
  "key parlor_abcdefghijklmnopqrstuvwxyz0123456789",
  "Incorrect API key provided: sk-proj-abcdefgh",
  "signed with whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "signed in with eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl",
  "unsigned eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.",
  "google AIzaSyA-1234567890abcdefghij",
  "said the-local-token-0123456789 twice: the-local-token-0123456789",
])("[SEC-8] a secret in a field is removed: %s", (reason) => {
  const cleaned = String(clean({ reason }).reason)
  expect(cleaned).toContain("[secret]")
  expect(cleaned).not.toMatch(/abc\.def|the-local-token|parlor_abc|sk-proj|whsec_Mf|eyJ|c2ln|AIzaSy/)
})

test("[SEC-8] other text is unchanged", () => {
  const fields = { agent: "host", attempt: 2, ok: true, none: null, reason: "short and task-list are words" }
  expect(clean(fields)).toEqual(fields)
  expect(clean(undefined)).toEqual({})
})

test("[LOG-23] lines about an outage are written once per second in total, with the number of suppressed lines", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] })
  try {
    const lines: (readonly [string, LogFields | undefined])[] = []
    const keep = (line: string, fields?: LogFields) => lines.push([line, fields])
    const log = calmLog({ info: keep, warn: keep, error: keep })
    const outage = reasonFields(new Fault("PostgreSQL: ECONNREFUSED"))
    for (let n = 0; n < 1_000; n++) log[n % 2 === 0 ? "warn" : "error"](`line ${n}`, outage)
    log.warn("something else", { reason: "its own" })
    expect(lines).toEqual([
      ["line 0", outage],
      ["something else", { reason: "its own" }],
    ])
    vi.advanceTimersByTime(1_000)
    expect(lines.slice(2)).toEqual([["line 999", { ...outage, omitted: 998 }]])
    vi.advanceTimersByTime(5_000)
    log.warn("later", outage)
    log.warn("and again", outage)
    vi.advanceTimersByTime(1_000)
    expect(lines.slice(3)).toEqual([
      ["later", outage],
      ["and again", outage],
    ])
    for (let ms = 0; ms < 10_000; ms += 10) {
      log.warn("request met a fault", outage)
      vi.advanceTimersByTime(10)
    }
    expect(lines.length - 5).toBeLessThanOrEqual(11)
  } finally {
    vi.useRealTimers()
  }
})

test("[LOG-23] only a store that is down is an outage", () => {
  expect(reasonFields(new Fault("x", { code: "server.stopping" }))).toEqual({ reason: "x" })
  expect(reasonFields(new Error("y"))).toEqual({ reason: "y" })
})

test("[LOG-18] a log that cannot be written drops lines, and reports their number once it can", ({ skip }) => {
  if (!existsSync("/dev/full")) return skip("there is no /dev/full here")
  const full = openSync("/dev/full", "w")
  const log = createLog({ fd: full })
  for (let n = 0; n < 100; n++) log.error("never ends the process", { n })
  closeSync(full)
  const folder = mkdtempSync(join(tmpdir(), "parlor-log-"))
  const file = join(folder, "log")
  // Reuses the number of the closed descriptor for a writable file.
  const open = openSync(file, "w")
  expect(open).toBe(full)
  log.warn("back")
  closeSync(open)
  const lines = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object)
  expect(lines).toMatchObject([{ dropped: 100 }, { msg: "back" }])
  rmSync(folder, { recursive: true })
})

test("a log writes lines of its level and above", () => {
  const folder = mkdtempSync(join(tmpdir(), "parlor-log-"))
  const file = join(folder, "log")
  const fd = openSync(file, "w")
  const log = createLog({ fd, level: "warn" })
  log.info("not written")
  log.warn("one")
  log.error("two", { reason: "x" })
  closeSync(fd)
  const lines = readFileSync(file, "utf8").trim().split("\n")
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, time: expect.any(Number), msg: "one" },
    { level: 50, time: expect.any(Number), reason: "x", msg: "two" },
  ])
  rmSync(folder, { recursive: true })
})
