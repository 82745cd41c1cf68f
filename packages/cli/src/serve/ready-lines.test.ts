import { expect, test } from "vitest"
import { readyLines } from "./ready-lines.ts"

const ready = { url: "http://127.0.0.1:4141", token: "the-token" }
const usual = { host: "127.0.0.1", publicUrl: undefined, token: undefined, dataFolder: "/data" }

test("[SEC-33] on a terminal, the URL contains the token that Parlor generated", () => {
  expect(readyLines(ready, usual, true)).toEqual(["Parlor is ready: http://127.0.0.1:4141/#token=the-token"])
})

test.each([
  ["the output goes to a file", usual, false],
  ["the token was chosen", { ...usual, token: "the-token" }, true],
  ["the address is public", { ...usual, host: "0.0.0.0" }, true],
  ["it is reached through a proxy", { ...usual, publicUrl: "https://parlor.example.com" }, true],
] as const)("[SEC-33] the token's location is printed instead of the token when %s", (_when, settings, isTerminal) => {
  const lines = readyLines(ready, settings, isTerminal)
  expect(lines.join("\n")).not.toContain("the-token")
  expect(lines[0]).toBe("Parlor is ready: http://127.0.0.1:4141/")
  expect(lines[1]).toContain(settings.token === undefined ? "parlor link" : "PARLOR_TOKEN")
})
