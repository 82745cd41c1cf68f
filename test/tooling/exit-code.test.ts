import { execFile } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../scripts/setup.mjs"

const code = `
  import { startPostgres } from "./test/support/postgres.ts"
  const server = await startPostgres()
  await server.remove()
  process.exitCode = 7
`

test("a test run that used PostgreSQL keeps the exit code it was given", { timeout: 60_000 }, async () => {
  const tsx = join(root, "node_modules", "tsx", "dist", "cli.mjs")
  const ended = await new Promise<unknown>((resolve) => {
    execFile(process.execPath, [tsx, "--input-type=module", "--eval", code], { cwd: root }, (error) =>
      resolve(error?.code),
    )
  })
  expect(ended).toBe(7)
})
