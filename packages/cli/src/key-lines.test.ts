import { expect, test } from "vitest"
import { keyLine, timeOf } from "./key-lines.ts"

const NOW = Date.parse("2026-11-18T12:00:00Z")
const key = {
  ...{ id: "key_1", name: "ci", scopes: ["read" as const], actFor: null, asMaker: true, madeBy: null },
  ...{ createdAt: NOW, expiresAt: null, revokedAt: null },
}

test("[OPS-19] an expiry is a date or a time from now", () => {
  expect(timeOf("12h", NOW)).toBe(NOW + 12 * 3_600_000)
  expect(timeOf("30d", NOW)).toBe(NOW + 30 * 86_400_000)
  expect(timeOf("2027-01-31", NOW)).toBe(Date.parse("2027-01-31T00:00:00Z"))
  for (const wrong of ["", "30", "d", "soon", "2027-13-99", "1e9d"]) expect(timeOf(wrong, NOW), wrong).toBeUndefined()
})

test("[OPS-19] a line says until when a key is valid", () => {
  expect(keyLine(key, NOW)).toBe("key_1  read  never expires  ci")
  expect(keyLine({ ...key, expiresAt: NOW + 1, actFor: "telegram:*" }, NOW)).toBe(
    "key_1  read  expires 2026-11-18  for telegram:*  ci",
  )
  expect(keyLine({ ...key, expiresAt: NOW }, NOW)).toContain("expired 2026-11-18")
  expect(keyLine({ ...key, revokedAt: NOW }, NOW)).toContain("revoked")
})
