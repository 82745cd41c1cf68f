/**
 * A year of schedules in three zones, on three nodes that come and go, with a store that fails now and then. Every firing
 * there should be is there, once, and no other (TRG-3).
 *
 * `PARLOR_SEED=7` runs that one seed again.
 */
import type { MissedRule } from "@parlor/protocol"
import { expect, test } from "vitest"
import { chooseSeed, seededRandom } from "../faults/random.ts"
import { dueTimes, type Pattern, pattern } from "./almanac.ts"
import { DAY, HOUR, MINUTE, World } from "./world.ts"

const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]
const RULES: readonly MissedRule[] = ["skip", "once", "all"]
const YEAR = 366 * DAY
const LATE_MS = MINUTE
const CATCH_UP = 24

type Planned = { readonly branch: string; readonly missed: MissedRule; readonly pattern: Pattern }
type Span = readonly [from: number, to: number]

/** Hours that spring leaves out and autumn doubles, week days, and every so often. */
const plans: readonly Planned[] = ZONES.flatMap((zone, z) =>
  [pattern(zone, "30", "2", "*"), pattern(zone, "0,45", "1,2", "0,6"), pattern(zone, "15", "*", "0")].map((one, i) => ({
    branch: `b${z}${i}`,
    missed: RULES[(z + i) % RULES.length] ?? "once",
    pattern: one,
  })),
)

test("[TRG-3] a year across daylight-saving changes: each firing once, missed ones by their rule", {
  timeout: 300_000,
}, async () => {
  const random = seededRandom(chooseSeed("a year of schedules"))
  // What it does when woken is beside the point here.
  const world = new World({ nodes: 3, agent: { handler: () => {} } })
  for (const index of [0, 1, 2]) await world.start(index)
  for (const { branch, missed, pattern } of plans) {
    await world.conversation(branch)
    await world.make(branch, { missed, when: { cron: pattern.cron, timeZone: pattern.zone } })
  }
  const begin = world.clock.now()
  for (const store of world.stores)
    store.hooks = {
      // What a firing is written down with: nothing of it, or all of it but the answer.
      beforeCommit: (batch) =>
        batch.length > 0 || !random.chance(0.15) ? undefined : random.chance(0.5) ? "fail" : "fail-after",
    }
  const dark = await comeAndGo(world, begin, random)
  for (const store of world.stores) store.hooks = {}
  await world.clock.advance(2 * DAY)
  const end = world.clock.now()
  let total = 0
  for (const plan of plans) {
    const fired = (await world.fired(plan.branch)).map(({ deliveryId }) => deliveryId)
    const due = dueTimes(plan.pattern, begin + 1, end + 1)
    const wanted = expected(plan.missed, due, dark).map((at) => new Date(at).toISOString())
    expect(fired, `${plan.pattern.cron} ${plan.pattern.zone} ${plan.missed}`).toEqual(wanted)
    total += fired.length
  }
  expect(total).toBeGreaterThan(3_500)
  expect(dark.length).toBeGreaterThan(5)
  await world.close()
})

/** Nodes stop and start at odd moments; answers with the spans in which none was up. */
async function comeAndGo(
  world: World,
  begin: number,
  random: ReturnType<typeof seededRandom>,
): Promise<readonly Span[]> {
  const dark: Span[] = []
  while (world.clock.now() < begin + YEAR) {
    await world.clock.advance(random.int(DAY, 8 * DAY))
    // Between two minutes: what is due on the minute has been done.
    const now = world.clock.now()
    await world.clock.advance(Math.ceil(now / MINUTE) * MINUTE + 30_500 - now)
    const downMs = random.int(1, 40) * HOUR
    if (random.chance(0.4)) {
      const from = world.clock.now()
      for (const index of [0, 1, 2]) await world.stop(index)
      await world.clock.advance(downMs)
      dark.push([from, world.clock.now()])
      for (const index of [0, 1, 2]) await world.start(index)
    } else {
      const index = random.int(0, 2)
      await world.stop(index)
      await world.clock.advance(downMs)
      await world.start(index)
    }
  }
  return dark
}

/** What fires for the times that are due, when nobody was there in the dark spans. */
function expected(rule: MissedRule, due: readonly number[], dark: readonly Span[]): readonly number[] {
  const spanOf = (at: number) => dark.findIndex(([from, to]) => at > from && at <= to)
  return due.filter((at, index) => {
    const span = dark[spanOf(at)]
    if (span === undefined) return true
    const missed = due.filter((other) => other > span[0] && other <= span[1])
    if (rule === "once") return at === missed[0]
    if (rule === "all") return missed.indexOf(at) >= missed.length - CATCH_UP
    return at === missed.find((other) => other >= span[1] - LATE_MS) && index >= 0
  })
}
