import fc from "fast-check"
import { expect, it } from "vitest"
import { fileName } from "./file-name.ts"

it.each([
  ["notes.md", "notes.md"],
  ["..", "_"],
  [".", "_"],
  [".env", "_env"],
  ["../../etc/passwd", "__.._etc_passwd"],
  ["C:\\x*?", "C__x__"],
  ["ends. ", "ends_"],
  ["", "_"],
  ["Grüße 🌷", "Grüße 🌷"],
])("[SEC-41] a name becomes a file name: %j", (name, safe) => {
  expect(fileName(name)).toBe(safe)
})

it("[SEC-41] no name leads out of the folder, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const safe = fileName(name)
      expect(safe).not.toMatch(/[/\\]|^\.+$|^$/)
      expect(safe.length).toBeLessThanOrEqual(120)
    }),
  )
})
