/** Triggers that a config declares: what is stored after each load, on several nodes, and what people may do to them. */
import type { Courier, DeclaredTriggers } from "@parlor/core"
import type { When } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { HOUR, MINUTE, person, World, type WorldOptions } from "./world.ts"

let world: World
afterEach(() => world.close())

const taken: string[] = []
const courier: Courier = {
  defect: (url) => (url.startsWith("https://") ? undefined : "Use https."),
  take: async ({ url, secret }) => {
    taken.push(`${url} ${secret}`)
    return { ok: true }
  },
}

async function open(options: WorldOptions = {}): Promise<void> {
  taken.length = 0
  world = new World({ courier, ...options })
  for (const index of world.nodes.keys()) await world.start(index)
}

const report = (change: object = {}): DeclaredTriggers["schedules"][number] => ({
  name: "report",
  person,
  agent: "crab",
  branch: "main",
  when: { everyMs: HOUR },
  missed: "once",
  type: "composer_input",
  payload: { source: "Report." },
  ...change,
})
const github = (change: object = {}): DeclaredTriggers["hooks"][number] => ({
  name: "github",
  person,
  agent: "crab",
  branch: "main",
  style: "github",
  template: "{{body}}",
  type: null,
  perMinute: 60,
  secret: "a secret of GitHub",
  ...change,
})
const ops = (change: object = {}): DeclaredTriggers["notices"][number] => ({
  name: "ops",
  person,
  url: "https://ops.test/",
  events: ["turn.finished"],
  agent: null,
  secret: "whsec_b3Bz",
  ...change,
})
const all: DeclaredTriggers = { schedules: [report()], hooks: [github()], notices: [ops()] }
const none: DeclaredTriggers = { schedules: [], hooks: [], notices: [] }
const nothing = { created: 0, changed: 0, removed: 0, failed: 0 }

const load = (declared: DeclaredTriggers, node = world.node) => node.reconcileTriggers(declared)
const stored = async () => [
  ...(await world.node.listSchedules(person)).map(({ id, declared }) => ({ id, declared })),
  ...(await world.node.listHooks(person)).map(({ hook }) => ({ id: hook.id, declared: hook.declared === true })),
  ...(await world.node.listNotices(person)).map(({ id, declared }) => ({ id, declared })),
]

describe("triggers declared in the config", () => {
  it("[TRG-11] are created by name, and a second load writes nothing, even after a restart", async () => {
    await open()
    expect(await load(all)).toEqual({ ...nothing, created: 3 })
    const before = await stored()
    expect(before.map(({ id }) => id)).toEqual(["schedule-report", "hook-github", "notice-ops"])
    expect(before.every(({ declared }) => declared)).toBe(true)
    const versions = async () =>
      (await Promise.all(before.map(({ id }) => world.store.triggers.get(id)))).map((one) => one?.version)
    expect(await load(all)).toEqual(nothing)
    await world.stop(0)
    await world.start(0)
    expect(await load(all)).toEqual(nothing)
    expect(await versions()).toEqual([1, 1, 1])
    await world.clock.advance(HOUR)
    expect(await world.fired("main")).toMatchObject([{ source: "schedule", scheduleId: "schedule-report" }])
  })

  it("[TRG-11] are removed when the config no longer has them; people's own are left alone", async () => {
    await open()
    const own = await world.make("main", { name: "report" })
    await load(all)
    expect(await load({ ...all, hooks: [] })).toEqual({ ...nothing, removed: 1 })
    expect(await load(none)).toEqual({ ...nothing, removed: 2 })
    expect(await stored()).toEqual([{ id: own.id, declared: false }])
  })

  it("[TRG-11] are changed where the config changed: pauses and earlier firings stay", async () => {
    await open()
    await load(all)
    await world.clock.advance(HOUR)
    for (const [what, id] of [
      ["changeSchedule", "schedule-report"],
      ["changeHook", "hook-github"],
      ["changeNotice", "notice-ops"],
    ] as const)
      await world.node[what](person, id, { paused: true })
    const when: When = { cron: "0 9 * * *", timeZone: "UTC" }
    const next = {
      schedules: [report({ when, payload: { source: "Report again." } })],
      hooks: [github({ template: "New: {{body}}" })],
      notices: [ops({ url: "https://ops.test/new" })],
    }
    expect(await load(next)).toEqual({ ...nothing, changed: 3 })
    expect(await load(next)).toEqual(nothing)
    const schedule = await world.node.openSchedule(person, "schedule-report")
    expect(schedule).toMatchObject({ when, payload: { source: "Report again." }, state: "paused" })
    expect(schedule.firings).toHaveLength(1)
    expect((await world.node.openHook(person, "hook-github")).hook).toMatchObject({ template: "New: {{body}}" })
    expect(await world.node.openNotice(person, "notice-ops")).toMatchObject({ url: "https://ops.test/new" })
    for (const { state } of [schedule, ...(await world.node.listNotices(person))]) expect(state).toBe("paused")
    const resumed = await world.node.changeSchedule(person, "schedule-report", { paused: false })
    expect(new Date(resumed.nextAt ?? 0).getUTCHours()).toBe(9)
  })

  it("[TRG-11] are replaced when the config moves them to another conversation or person", async () => {
    await open()
    await load(all)
    await world.conversation("other")
    const moved = { ...all, schedules: [report({ branch: "other" })], hooks: [github({ person: "bo" })] }
    expect(await load(moved)).toEqual({ ...nothing, created: 2 })
    await world.clock.advance(HOUR)
    expect(await world.fired("main")).toEqual([])
    expect(await world.fired("other")).toHaveLength(1)
    expect(await world.node.listHooks(person)).toEqual([])
    expect(await world.node.listHooks("bo")).toHaveLength(1)
  })

  it("[ADR-4] belong to the person that the config's name is linked to", async () => {
    await open()
    const audit = { at: 0, person, act: "name.linked", subject: "me" }
    await world.store.links.link({ name: "me", person, createdAt: 0 }, { most: 5, dropAttachments: false }, audit)
    await load({ ...none, schedules: [report({ person: "me" })] })
    expect(await stored()).toEqual([{ id: "schedule-report", declared: true }])
  })

  it("[TRG-13] several nodes load at once: each trigger exists once and fires once", async () => {
    await open({ nodes: 3 })
    const nodes = world.nodes.flatMap((node) => node ?? [])
    const done = await Promise.all(nodes.map((node) => load(all, node)))
    expect(done.every(({ failed }) => failed === 0)).toBe(true)
    expect(await stored()).toHaveLength(3)
    const changed = { ...all, schedules: [report({ payload: { source: "New." } })] }
    await Promise.all(nodes.map((node) => load(changed, node)))
    expect((await world.store.triggers.get("schedule-report"))?.version).toBe(2)
    await world.clock.advance(HOUR)
    expect(await world.fired("main")).toHaveLength(1)
    await Promise.all(nodes.map((node) => load(none, node)))
    expect(await stored()).toEqual([])
  })

  it("[TRG-12] can be paused and fired, but not edited, deleted or given another secret", async () => {
    await open()
    await load(all)
    const { node } = world
    const refused = { code: "trigger.declared", message: expect.stringContaining("declared in the config as ") }
    const [schedule, hook, notice] = ["schedule-report", "hook-github", "notice-ops"] as const
    await expect(node.changeSchedule(person, schedule, { text: "Other." })).rejects.toMatchObject(refused)
    await expect(node.changeSchedule(person, schedule, { paused: true, name: "x" })).rejects.toMatchObject(refused)
    await expect(node.deleteSchedule(person, schedule)).rejects.toMatchObject(refused)
    await expect(node.changeHook(person, hook, { perMinute: 5 })).rejects.toMatchObject(refused)
    await expect(node.rotateHook(person, hook, "whsec_b3Bz")).rejects.toMatchObject(refused)
    await expect(node.deleteHook(person, hook)).rejects.toMatchObject(refused)
    await expect(node.changeNotice(person, notice, { name: "x" })).rejects.toMatchObject(refused)
    await expect(node.deleteNotice(person, notice)).rejects.toMatchObject(refused)
    expect(await node.changeSchedule(person, schedule, { paused: true })).toMatchObject({ state: "paused" })
    expect(await node.changeHook(person, hook, { paused: true })).toMatchObject({ state: "paused" })
    expect(await node.changeNotice(person, notice, { paused: true })).toMatchObject({ state: "paused" })
    await node.fireSchedule(person, schedule, { txid: node.txid() })
    expect(await world.fired("main")).toHaveLength(1)
  })

  it("[TRG-14] a new secret in the environment replaces the old one, which stays valid for a day at a webhook", async () => {
    await open()
    await load(all)
    const secrets = async () => world.node.hookSecrets(await world.node.hookAt("hook-github"))
    const next = { ...all, hooks: [github({ secret: "another secret" })], notices: [ops({ secret: "whsec_bmV3" })] }
    expect(await load(next)).toEqual({ ...nothing, changed: 2 })
    expect(await secrets()).toEqual(["another secret", "a secret of GitHub"])
    await world.clock.advance(25 * HOUR)
    expect(await secrets()).toEqual(["another secret"])
    expect(taken.at(-1)).toBe("https://ops.test/ whsec_bmV3")
    expect(JSON.stringify(await world.store.triggers.get("hook-github"))).not.toContain("another secret")
  })

  it("[TRG-15] one that cannot be set up is reported, the others are; the next load tries it again", async () => {
    await open()
    const bad = { ...all, notices: [ops({ url: "http://ops.test/" })], schedules: [report({ agent: "nobody" })] }
    expect(await load(bad)).toEqual({ ...nothing, created: 1, failed: 2 })
    expect(await load(all)).toEqual({ ...nothing, created: 2 })
  })

  it("[TRG-11] a time that has passed is not set up again; a later one starts it anew", async () => {
    await open()
    const at = world.clock.now() + MINUTE
    const once = { ...none, schedules: [report({ when: { at } })] }
    await load(once)
    await world.clock.advance(2 * MINUTE)
    expect(await world.fired("main")).toHaveLength(1)
    expect(await load(once)).toEqual(nothing)
    await world.store.triggers.delete("schedule-report")
    expect(await load(once)).toEqual(nothing)
    expect(await load({ ...none, schedules: [report({ when: { at: at + HOUR } })] })).toMatchObject({ created: 1 })
    await world.clock.advance(HOUR)
    expect(await world.fired("main")).toHaveLength(2)
  })

  it("[TRG-11] with its conversation a trigger is deleted, and the next load creates both", async () => {
    await open()
    await load({ ...none, schedules: [report()] })
    await world.node.remove({ agent: "crab", person, branch: "main" }, { branches: [], txid: world.node.txid() })
    expect(await stored()).toEqual([])
    expect(await load({ ...none, schedules: [report()] })).toMatchObject({ created: 1 })
    await world.clock.advance(HOUR)
    expect(await world.fired("main")).toHaveLength(1)
  })
})
