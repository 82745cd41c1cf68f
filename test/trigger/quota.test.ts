import { defaultQuotaSettings } from "@parlor/core"
import { afterEach, describe, expect, it } from "vitest"
import { MINUTE, person, World } from "./world.ts"

let world: World
afterEach(() => world.close())

const fill = (bytes: number) =>
  world.store.blobs.attach(
    person,
    { hash: "all", name: "a", mediaType: "text/plain", bytes, at: 1 },
    new Uint8Array(bytes),
  )

describe("a schedule without room for its message", () => {
  it("[SEC-23] is paused with the reason, and fires again when there is room and the person resumes it", async () => {
    world = new World({ settings: { quota: { ...defaultQuotaSettings, storedBytes: 100_000 } } })
    await world.start(0)
    const { id } = await world.make("main", { when: { everyMs: MINUTE } })
    await world.clock.advance(MINUTE + 1_000)
    expect(await world.fired("main")).toHaveLength(1)
    await fill(100_000)
    await world.clock.advance(5 * MINUTE)
    expect(await world.fired("main")).toHaveLength(1)
    const paused = await world.node.openSchedule(person, id)
    expect(paused).toMatchObject({ state: "paused", why: { code: "quota.bytes" } })
    expect(paused.firings[0]).toMatchObject({ outcome: "failed", error: { code: "quota.bytes" } })
    await world.store.blobs.detach(person, "all")
    await world.clock.advance(5 * MINUTE)
    expect(await world.fired("main")).toHaveLength(1)
    await world.node.changeSchedule(person, id, { paused: false })
    await world.clock.advance(MINUTE + 1_000)
    expect(await world.fired("main")).toHaveLength(2)
    expect(await world.node.openSchedule(person, id)).toMatchObject({ state: "active", why: null })
  })

  it("[SEC-23] one that comes once is made up for when it is resumed", async () => {
    world = new World({ settings: { quota: { ...defaultQuotaSettings, storedBytes: 100_000 } } })
    await world.start(0)
    await fill(90_000)
    const { id } = await world.make("main", { when: { at: world.clock.now() + MINUTE } })
    await world.store.blobs.detach(person, "all")
    await fill(100_000)
    await world.clock.advance(2 * MINUTE)
    expect(await world.node.openSchedule(person, id)).toMatchObject({ state: "paused", why: { code: "quota.bytes" } })
    await world.store.blobs.detach(person, "all")
    await world.node.changeSchedule(person, id, { paused: false })
    await world.clock.advance(MINUTE)
    expect(await world.fired("main")).toHaveLength(1)
    expect(await world.node.openSchedule(person, id)).toMatchObject({ state: "done" })
  })
})
