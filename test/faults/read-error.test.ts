/** The disk returns read errors: requests are refused as a store failure, and work again afterwards. */
import { execFileSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { startFakeModel } from "./fake-model.ts"
import { spawnServer } from "./server-process.ts"
import { credential, make, pathOf, send } from "./wire.ts"

const SOURCE = fileURLToPath(new URL("./eio.c", import.meta.url))
const TALKS = 40
const LENGTH = 20_000

test("[LOG-21] a read that fails on the disk is 503, the log names the cause, and reads work again afterwards", {
  timeout: 120_000,
}, async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), "parlor-eio-"))
  const shim = join(folder, "eio.so")
  if (!isCompiled(shim)) return skip("there is no C compiler here to make reads fail with")
  const failing = join(folder, "failing")
  const model = await startFakeModel({ tokenMs: 1 })
  const start = () =>
    spawnServer({
      dataFolder: join(folder, "data"),
      modelUrl: model.url,
      env: { LD_PRELOAD: shim, EIO_WHILE: failing },
    })
  let server = start()
  try {
    const before = await server.ready
    for (let n = 0; n < TALKS; n++) {
      await make(before, `host/t${n}`)
      await send(before, `host/t${n}`, { text: "x".repeat(LENGTH), key: `k${n}`, mode: "queued" })
    }
    expect(await server.stop()).toBe(0)
    // Nothing is cached in memory now.
    server = start()
    const url = await server.ready
    await writeFile(failing, "")
    const statuses = new Map<number, number>()
    for (let n = 0; n < TALKS; n++)
      for (const rest of ["", "/events", "/messages", "/export"]) {
        const answer = await fetch(`${url}${pathOf(`host/t${n}`)}${rest}`, { headers: credential() })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        await answer.text().catch(() => "")
      }
    expect([...statuses.keys()].filter((status) => status !== 200)).toEqual([503])
    expect(statuses.get(503)).toBeGreaterThan(TALKS)
    expect(server.output()).toMatch(/SQLite: (disk I\/O error|database disk image is malformed)/)
    expect(server.output()).not.toContain("no transaction is active")
    await rm(failing)
    for (let n = 0; n < TALKS; n++)
      expect((await fetch(`${url}${pathOf(`host/t${n}`)}`, { headers: credential() })).status).toBe(200)
  } finally {
    await server.kill()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
})

function isCompiled(shim: string): boolean {
  if (process.platform !== "linux") return false
  try {
    execFileSync("cc", ["-shared", "-fPIC", "-o", shim, SOURCE, "-ldl"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
