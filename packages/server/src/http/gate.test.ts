import { expect, test } from "vitest"
import { isLoopback, localHosts } from "./gate.ts"

test.each(["127.0.0.1", "127.1.2.3", "localhost", "::1"])("[SEC-2] %s is this machine only", (host) => {
  expect(isLoopback(host)).toBe(true)
})

test.each([
  "0.0.0.0",
  "::",
  "10.0.0.1",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "1270.0.0.1",
  "",
  "::ffff:127.0.0.1",
])("[SEC-2] %s is not", (host) => {
  expect(isLoopback(host)).toBe(false)
})

test("[SEC-3] a local server accepts three host names, another one its own", () => {
  expect([...localHosts("127.0.0.1", 4141)]).toEqual(["127.0.0.1:4141", "localhost:4141", "[::1]:4141"])
  expect([...localHosts("parlor.example", 80)]).toEqual(["parlor.example", "parlor.example:80"])
  expect([...localHosts("fd00::1", 4141)]).toEqual(["[fd00::1]:4141"])
})
