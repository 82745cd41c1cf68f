import { describe, expect, test } from "vitest"
import { assert, Bug, type ErrorCode, errorTable, Fault, Refusal, toProblem, unreachable } from "./errors.ts"
import { problem } from "./requests.ts"

const codes = Object.keys(errorTable) as ErrorCode[]

describe("the error table", () => {
  test.each(codes)("%s has a status, a title and a readable code", (code) => {
    const { status, title } = errorTable[code]
    expect(code).toMatch(/^(?:[a-z]+\.[a-z]+(?:-[a-z]+)*|bug)$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(title).toMatch(/^[A-Z].*[^.]$/)
  })

  test("only faults and bugs are a 5xx", () => {
    const ours = codes.filter((code) => errorTable[code].status >= 500)
    expect(ours).toEqual(["store.unavailable", "server.stopping", "server.busy", "server.not-ready", "bug"])
  })

  test("titles and types are unique", () => {
    expect(new Set(Object.values(errorTable).map(({ title }) => title)).size).toBe(codes.length)
    expect(new Set(codes.map((code) => toProblem(code, "x").type)).size).toBe(codes.length)
  })

  test.each(codes)("%s makes a problem that matches its schema", (code) => {
    const { status, title } = errorTable[code]
    const made = toProblem(code, "What happened.", "/a/0")
    expect(problem.strict().parse(made)).toEqual({
      type: `urn:parlor:problem:${code}`,
      title,
      status,
      code,
      detail: "What happened.",
      pointer: "/a/0",
    })
    expect(toProblem(code, "x")).not.toHaveProperty("pointer")
  })

  test("[SEC-23] a problem of a quota says how much is used and allowed, and no other problem does", () => {
    const quota = { used: 7, allowed: 5 }
    const refusal = new Refusal("quota.bytes", "Full.", undefined, { quota, retryAfterMs: 9 })
    expect(refusal).toMatchObject({ quota, retryAfterMs: 9 })
    const made = toProblem(refusal.code, refusal.message, refusal.pointer, refusal.quota)
    expect(problem.strict().parse(made)).toMatchObject(quota)
    expect(Object.keys(toProblem("bug", "x"))).toEqual(["type", "title", "status", "code", "detail"])
  })
})

test("the three classes carry what the wire needs", () => {
  const cause = new Error("inner")
  expect(new Refusal("turn.over", "It ended.", "/turn")).toMatchObject({
    code: "turn.over",
    pointer: "/turn",
    message: "It ended.",
  })
  expect(new Fault("down", { cause })).toMatchObject({ code: "store.unavailable", retryAfterMs: 1_000, cause })
  expect(new Fault("bye", { code: "server.stopping", retryAfterMs: 5 })).toMatchObject({
    code: "server.stopping",
    retryAfterMs: 5,
  })
  expect([new Refusal("turn.over", "x"), new Fault("x"), new Bug("x")].map(String), "as logs show them").toEqual([
    "Refusal: x",
    "Fault: x",
    "Bug: x",
  ])
  expect(() => unreachable("odd" as never)).toThrow(Bug)
  expect(() => assert(false, "no")).toThrow(new Bug("no"))
  expect(() => assert(1, "yes")).not.toThrow()
})
