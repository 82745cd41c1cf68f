/**
 * The code of the guides that names its file runs and has the right types: each guide's files are written into a folder,
 * and its tests become tests here.
 */
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, describe, expect, test } from "vitest"
import { checkConfig } from "../../packages/agent/src/define-config.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = join(root, "test/tooling/.cache/guides")
/** A block that begins with the name of its file. */
const BLOCK = /^```ts\n\/\/ ([\w.-]+\.ts)\n(.*?)^```$/gms

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Guides for authors: all of their TypeScript names its file and runs. */
const WHOLE = [
  "first-agent",
  "agents",
  "skills",
  "coming-from",
  "testing",
  "models",
  "mcp",
  "hosting-agents",
  "commands",
]
/** Guides with other code too, which is run elsewhere. */
const PARTLY = ["handler", "triggers"]

const tsc = join(root, "node_modules/typescript/bin/tsc")

test("the code of the guides has the right types", { timeout: 180_000 }, async () => {
  const options = {
    extends: "../../../../tsconfig.base.json",
    compilerOptions: { composite: false, declaration: false, noEmit: true, types: ["node"], jsx: "react-jsx" },
    include: ["**/*.ts"],
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options))
  const said = await promisify(execFile)(process.execPath, [tsc, "-p", folder, "--pretty", "false"]).then(
    ({ stdout }) => stdout,
    (error: Error & { readonly stdout?: string }) => error.stdout || error.message,
  )
  expect(said).toBe("")
})

for (const guide of [...WHOLE, ...PARTLY]) {
  const text = readFileSync(join(root, `docs/guides/${guide}.md`), "utf8")
  const files = [...text.matchAll(BLOCK)].map(([, name = "", code = ""]) => ({ name, code }))
  mkdirSync(join(folder, guide), { recursive: true })
  for (const { name, code } of files) writeFileSync(join(folder, guide, name), code)

  describe(`docs/guides/${guide}.md`, async () => {
    test("has code that runs", () => expect(files.length).toBeGreaterThan(0))
    test.runIf(WHOLE.includes(guide))("all of its code names its file", () => {
      expect(text.match(/^```ts$/gm)).toHaveLength(files.length)
    })
    for (const { name } of files) {
      if (name.endsWith(".test.ts")) await import(join(folder, guide, name))
      else
        test(`${name} is a config`, async () => {
          const { default: config } = (await import(join(folder, guide, name))) as { default: unknown }
          expect(checkConfig(config).agents.length).toBeGreaterThan(0)
        })
    }
  })
}
