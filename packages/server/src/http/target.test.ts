import { Refusal, routes } from "@parlor/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { matchRoute } from "./router.ts"
import { checkSteps, pathParams, queryParams, targetOf } from "./target.ts"

const text = fc.string({ unit: "grapheme" })

test("[ADR-5] what was encoded into a path comes out of it", () => {
  fc.assert(
    fc.property(text, text, (agent, branch) => {
      const path = `/v1/conversations/${encodeURIComponent(agent)}/${encodeURIComponent(branch)}/events`
      const params = matchRoute("GET", path)?.params
      if (agent === "" || branch === "") expect(params).toBeUndefined()
      else expect(pathParams(params ?? {})).toEqual({ agent, branch })
    }),
  )
})

test("[ADR-5] what was encoded into a query comes out of it", () => {
  const pairs = fc.dictionary(
    text.filter((name) => name !== ""),
    text,
  )
  fc.assert(
    fc.property(pairs, fc.constantFrom("/y", "http://x/y"), (query, start) => {
      const found = queryParams(targetOf(`${start}?${new URLSearchParams(query)}#z`).query)
      expect(Object.entries(found).sort()).toEqual(Object.entries(query).sort())
    }),
  )
})

test("[SEC-5] broken escapes and names given twice are refused, pollution is not possible", () => {
  for (const query of ["a=%", "a=%ff", "%=1", "a=1&a=2", "a=1&%61=2", "a&a"])
    expect(() => queryParams(query), query).toThrow(Refusal)
  expect(() => pathParams({ a: "%c3" })).toThrow(Refusal)
  expect(queryParams(targetOf("/?__proto__=x&&a=b=c?d").query)).toMatchObject({ a: "b=c?d" })
  expect({}).not.toHaveProperty("x")
})

test("[ADR-5] a path that would be resolved to another is refused", () => {
  for (const url of ["/a/../b", "/a/./b", "/..", "/a/%2e%2E/b", "/a/.%2e", "/a\\..\\b", "/.?q", "/a/..#x"])
    expect(() => checkSteps(url), url).toThrow(expect.objectContaining({ code: "route.unknown" }))
  for (const url of ["/a/..b", "/a/.b/c", "/...", "/a?q=/../b", "/a/%2e%2e%2fb", "/", ""])
    expect(() => checkSteps(url), url).not.toThrow()
})

test("every route of the table is found by its method and path, and in no other way", () => {
  for (const [name, { method, path }] of Object.entries(routes)) {
    const given = path.replace(/:\w+\*/, "a/b/c").replace(/:\w+/g, "a")
    expect(matchRoute(method, given)?.name, `${method} ${given}`).toBe(name)
    expect(matchRoute("TRACE", given)).toBeUndefined()
  }
  expect(matchRoute("HEAD", "/healthz")?.name).toBe("health")
  expect(matchRoute("GET", "/healthz/")).toBeUndefined()
  expect(matchRoute("GET", `/v1${"/a".repeat(5_000)}`)).toBeUndefined()
})
