import { expect, test } from "vitest"
import { z } from "zod"
import { type Route, routes } from "./routes.ts"

const table = Object.entries(routes) as [string, Route][]

test("no two routes have the same method and path", () => {
  expect(new Set(table.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(table.length)
})

test.each(table)("%s describes the names in its path, and only those", (_name, { path, params }) => {
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const described = params instanceof z.ZodObject ? Object.keys(params.shape) : []
  expect(described).toEqual(named)
})

test.each(table)("%s has a response, and a body only where one is read", (_name, route) => {
  expect(Boolean(route.stream) !== Boolean(route.answer)).toBe(true)
  if (route.method === "GET" || route.method === "DELETE") expect(route.body ?? route.bodyType).toBeUndefined()
  expect(Boolean(route.body && route.bodyType)).toBe(false)
  expect(route.summary).toMatch(/^[A-Z].*[^.]$/)
})

test("[SEC-1] a route that changes something needs more than `read`", () => {
  // Every message of MCP is a POST, and its tools check the scope that each of them needs (API-45).
  for (const [name, { method, needs }] of table)
    if (method !== "GET" && name !== "mcp") expect(["write", "manage", "signature"], name).toContain(needs)
})
