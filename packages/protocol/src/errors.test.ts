import { describe, expect, test } from "vitest"
import { assert, Bug, type ErrorCode, errorTable, Fault, Refusal, toProblem, unreachable } from "./errors.ts"
import { problem } from "./requests.ts"

const codes = Object.keys(errorTable) as ErrorCode[]

describe("the table of errors", () => {
  test.each(codes)("%s has a status, a title and a code one can read", (code) => {
    const { status, title } = errorTable[code]
    expect(code).toMatch(/^(?:[a-z]+\.[a-z]+(?:-[a-z]+)*|bug)$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(title).toMatch(/^[A-Z].*[^.]$/)
  })

  test("only what the outside or Parlor itself did wrong is a 5xx", () => {
    const ours = codes.filter((code) => errorTable[code].status >= 500)
    expect(ours).toEqual(["store.unavailable", "server.stopping", "server.busy", "server.not-ready", "bug"])
  })

  test("no two codes say the same", () => {
    expect(new Set(Object.values(errorTable).map(({ title }) => title)).size).toBe(codes.length)
    expect(new Set(codes.map((code) => toProblem(code, "x").type)).size).toBe(codes.length)
  })

  test.each(codes)("%s makes a problem that fits its description", (code) => {
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
})

test("the three kinds carry what the wire needs", () => {
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
  expect(() => unreachable("odd" as never)).toThrow(Bug)
  expect(() => assert(false, "no")).toThrow(new Bug("no"))
  expect(() => assert(1, "yes")).not.toThrow()
})
