/** What a turn of a hosted agent costs the server, beside the same turn through the standard loop. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const script = fileURLToPath(new URL("../../scripts/measure-hosted.mjs", import.meta.url))

test("[HST-20] a turn of a hosted agent costs about as much CPU time as a turn of the standard loop", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--coarse"])
  expect(stdout).toMatch(/^ratio: +\d+\.\d+/m)
}, 240_000)
