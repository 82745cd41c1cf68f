/** Readiness of a real process. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { spawnServer } from "./server-process.ts"
import { send } from "./wire.ts"

test("[SEC-16] a server whose disk has less than the reserve is alive and serves, but is not ready", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parlor-ready-"))
  const start = (reserve: string) =>
    spawnServer({ dataFolder: folder, modelUrl: "http://127.0.0.1:9", env: { PARLOR_DISK_RESERVE: reserve } })
  try {
    const full = start(String(2 ** 50))
    const url = await full.ready
    const ready = await fetch(`${url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.text()).toMatch(/disk.*MB free, the reserve is 1073741824 MB/)
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    expect((await send(url, "host/main", { text: "hello", key: "k", mode: "queued" })).outcome).toBe("ok")
    await full.kill()
    const enough = start("1")
    expect((await fetch(`${await enough.ready}/readyz`)).status).toBe(200)
    await enough.kill()
    const wrong = start("lots")
    expect(await wrong.ended).toBe(2)
    expect(wrong.output()).toContain("PARLOR_DISK_RESERVE=lots is not a whole number")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
