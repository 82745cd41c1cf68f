import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readSettings } from "./settings.ts"

const data = mkdtempSync(join(tmpdir(), "parlor-settings-"))
writeFileSync(join(data, "token"), "from-file\n")

test("options override the environment, the environment overrides the file", () => {
  const env = { PARLOR_URL: "http://env:1/", PARLOR_TOKEN: "from-env", PARLOR_DATA: data }
  expect(readSettings({}, { PARLOR_DATA: data })).toEqual({ baseUrl: "http://127.0.0.1:4141", token: "from-file" })
  expect(readSettings({}, { PARLOR_DATA: data, PARLOR_PORT: "9" }).baseUrl).toBe("http://127.0.0.1:9")
  expect(readSettings({}, env)).toEqual({ baseUrl: "http://env:1", token: "from-env" })
  expect(readSettings({ url: "box:2", token: "t", person: "a:b" }, env)).toEqual({
    baseUrl: "http://box:2",
    token: "t",
    person: "a:b",
  })
})

test("missing or invalid settings give a clear error", () => {
  expect(() => readSettings({}, { PARLOR_DATA: "/nowhere" })).toThrow(/no token in .*nowhere.*parlor serve/)
  expect(() => readSettings({ url: "http://:::", token: "t" }, {})).toThrow(/not a valid server URL/)
})
