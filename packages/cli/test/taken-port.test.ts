import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { startParlor } from "./parlor.ts"

test("serve on a port in use says so and exits with code 1, and the running server continues", async () => {
  const parlor = await startParlor()
  const data = mkdtempSync(join(tmpdir(), "parlor-taken-"))
  try {
    const { port } = new URL(parlor.env.PARLOR_URL ?? "")
    const more = { PARLOR_DATA: data, PARLOR_PORT: port, PARLOR_MODEL: "demo" }
    for (let n = 0; n < 2; n++) {
      const { code, out, err } = await parlor.run(["serve"], "", more)
      expect(code).toBe(1)
      expect(err).toContain("Is Parlor already running? Choose another port with PARLOR_PORT.")
      expect(err.trimEnd().split("\n")).toHaveLength(1)
      expect(out).toBe("")
    }
    expect((await parlor.sdk.agents()).length).toBeGreaterThan(0)
  } finally {
    await parlor.close()
    rmSync(data, { recursive: true, force: true })
  }
}, 120_000)
