import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

test("docs/reference.md is what npm run reference writes, and every variable that the code reads is in it", () => {
  const args = ["--import", "tsx", "--conditions=@parlor/source", "scripts/reference.mjs", "--check"]
  expect(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" })).toMatch(/ 0 wrong\n$/)
})
