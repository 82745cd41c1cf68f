import { Refusal } from "@parlor/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { checkSteps, pathParams, queryParams } from "./target.ts"

const text = fc.string({ unit: "grapheme" })

test("[ADR-5] what was encoded into a path comes out of it", () => {
  fc.assert(
    fc.property(text, text, (agent, branch) => {
      const path = `/v1/${encodeURIComponent(agent)}/x/${encodeURIComponent(branch)}`
      expect(pathParams("/v1/:agent/x/:branch", path)).toEqual({ agent, branch })
    }),
  )
})

test("[ADR-5] what was encoded into a query comes out of it", () => {
  const pairs = fc.dictionary(
    text.filter((name) => name !== ""),
    text,
  )
  fc.assert(
    fc.property(pairs, (query) => {
      const found = queryParams(`http://x/y?${new URLSearchParams(query)}#z`)
      expect(Object.entries(found).sort()).toEqual(Object.entries(query).sort())
    }),
  )
})

test("[SEC-5] broken escapes and names given twice are refused, pollution is not possible", () => {
  for (const url of ["/?a=%", "/?a=%ff", "/?%=1", "/?a=1&a=2", "/?a=1&%61=2", "/?a&a"])
    expect(() => queryParams(url), url).toThrow(Refusal)
  expect(() => pathParams("/:a", "/%c3")).toThrow(Refusal)
  expect(queryParams("/?__proto__=x&&a=b=c?d")).toMatchObject({ a: "b=c?d" })
  expect({}).not.toHaveProperty("x")
})

test("[ADR-5] an address that would be resolved to another is refused", () => {
  for (const url of ["/a/../b", "/a/./b", "/..", "/a/%2e%2E/b", "/a/.%2e", "/a\\..\\b", "/.?q", "/a/..#x"])
    expect(() => checkSteps(url), url).toThrow(expect.objectContaining({ code: "route.unknown" }))
  for (const url of ["/a/..b", "/a/.b/c", "/...", "/a?q=/../b", "/a/%2e%2e%2fb", "/", ""])
    expect(() => checkSteps(url), url).not.toThrow()
})
