/**
 * The code of the guides that names its file runs: each guide's files are written into a folder, and its tests become
 * tests here.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, test } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = join(root, "test/tooling/.cache/guides")
/** A block that begins with the name of its file. */
const BLOCK = /^```ts\n\/\/ ([\w.-]+\.ts)\n(.*?)^```$/gms

afterAll(() => rmSync(folder, { recursive: true, force: true }))

for (const guide of ["testing", "triggers"]) {
  const text = readFileSync(join(root, `docs/guides/${guide}.md`), "utf8")
  const files = [...text.matchAll(BLOCK)].map(([, name = "", code = ""]) => ({ name, code }))
  mkdirSync(join(folder, guide), { recursive: true })
  for (const { name, code } of files) writeFileSync(join(folder, guide, name), code)

  describe(`docs/guides/${guide}.md`, async () => {
    test("has code that runs", () => expect(files.length).toBeGreaterThan(0))
    for (const { name } of files) {
      if (name.endsWith(".test.ts")) await import(join(folder, guide, name))
      else
        test(`${name} is a config`, async () => {
          const { default: config } = (await import(join(folder, guide, name))) as { default: { agents: unknown[] } }
          expect(config.agents.length).toBeGreaterThan(0)
        })
    }
  })
}
