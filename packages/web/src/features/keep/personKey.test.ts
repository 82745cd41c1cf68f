import { expect, it } from "vitest"
import { personKey } from "./personKey.ts"

it("[SEC-2] the name things are kept under tells people apart and does not tell the token", () => {
  const names = Array.from({ length: 500 }, (_, index) => personKey(`token-${index}`))
  expect(new Set(names).size).toBe(500)
  expect(personKey("token-1")).toBe(names[1])
  expect(personKey("token-1"), "what is stored under it is found again by later versions").toBe("27e97cd14ee6bcbe")
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{16}$/)
})
