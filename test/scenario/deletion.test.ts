import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { says } from "@parlor/core/testing"
import { expect, it } from "vitest"
import { address, openStage } from "./stage.ts"

it("[ADR-10] a server that was down when the grace period ended deletes the conversation when it is back", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parlor-deletion-"))
  const settings = { deletionGraceMs: 50 }
  const before = await openStage({ folder, settings, scripts: [says("Hello.")] })
  await before.send("Hello")
  await before.idle()
  await before.runtime.removeLater(address, { branches: [], txid: before.runtime.txid() })
  await before.close()

  const after = await openStage({ folder, settings })
  const page = { agent: undefined, archived: false, ephemeral: false, cursor: undefined, limit: 10 }
  expect((await after.runtime.list(address.person, page)).conversations).toEqual([])
  const audited = () => after.store.log.find({ kind: "conversation", ...address })
  await expect.poll(audited, { timeout: 10_000 }).toBeUndefined()
  await after.close()
  await rm(folder, { recursive: true, force: true })
})
