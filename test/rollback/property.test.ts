/**
 * Whatever is said, rolled back, cancelled, branched, compacted, written and edited by hand: the same as on paper, at every
 * step. `PARLOR_SEED` replays a seed, `PARLOR_RUNS` sets how many walks are taken in memory.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Store } from "@parlor/core"
import { type FakeClock, MemoryStore } from "@parlor/core/testing"
import { openPostgres, openSqlite } from "@parlor/store"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { freshDatabase } from "../support/postgres.ts"
import { type Step, steps, toldSteps, Walk } from "./steps.ts"
import { openWorld } from "./world.ts"

const RULES = "[SBX-3] [BRA-1] [BRA-2] [BRA-7] [RBK-1] [RBK-2] [RBK-4] [RBK-5] [RBK-6]"
const seed = process.env.PARLOR_SEED === undefined ? {} : { seed: Number(process.env.PARLOR_SEED) }
const inMemory = { numRuns: Number(process.env.PARLOR_RUNS ?? 150), ...seed }

const at = (kind: Step["kind"], choices: Partial<Step> = {}): Step => ({
  kind,
  where: 0,
  which: 0,
  what: 0,
  ...choices,
})
/** The second message is the first answer, the sixth the third one. */
const BRANCH_SECOND = { which: 1, what: 1 }
const BRANCH_SIXTH = { which: 5, what: 1 }
const IN_BRANCH = { where: 1 }

async function walk(list: readonly Step[], store: (clock: FakeClock) => Promise<Store> | Store): Promise<Walk> {
  const world = await openWorld({ store })
  try {
    const walk = new Walk(world)
    for (const step of list) await walk.step(step)
    await walk.sayEverywhere()
    return walk
  } finally {
    await world.close()
  }
}

describe("conversations beside their paper", () => {
  it(`${RULES} any steps, in memory`, { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps(40), async (list) => void (await walk(list, (clock) => new MemoryStore(clock)))),
      inMemory,
    )
  })

  it("[BRA-7] [RBK-10] [CPT-1] any steps that decide what a model is told", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(toldSteps(25), async (list) => void (await walk(list, (clock) => new MemoryStore(clock)))),
      inMemory,
    )
  })

  it("[BRA-7] a branch from an inherited message that was dimmed together with a summary of it", async () => {
    const list = [
      ...[at("say"), at("branch", BRANCH_SECOND), at("compact", IN_BRANCH), at("rollBack", IN_BRANCH)],
      ...[at("branch", { ...BRANCH_SECOND, ...IN_BRANCH }), at("say", { where: 2 })],
    ]
    await walk(list, (clock) => new MemoryStore(clock))
  })

  it("[CPT-1] of two summaries that reach equally far, an inherited one and its own, the newer is told", async () => {
    const keepOne = { which: 1 }
    const list = [
      ...[at("say"), at("say"), at("say"), at("compact", keepOne), at("branch", BRANCH_SIXTH)],
      ...[at("rollBack", { ...IN_BRANCH, which: 2 }), at("compact", { ...IN_BRANCH, ...keepOne })],
      ...[at("cancel", IN_BRANCH), at("say", IN_BRANCH)],
    ]
    await walk(list, (clock) => new MemoryStore(clock))
  })

  it(`${RULES} any steps, on SQLite`, { timeout: 300_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "parlor-rollback-"))
    let count = 0
    const open = () => openSqlite({ path: join(folder, `${count++}.db`) })
    try {
      await fc.assert(
        fc.asyncProperty(steps(20), async (list) => void (await walk(list, open))),
        { numRuns: 8, ...seed },
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it(`${RULES} any steps, on PostgreSQL`, { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps(20), async (list) => {
        const { url, drop } = await freshDatabase()
        try {
          await walk(list, () => openPostgres({ url }))
        } finally {
          await drop()
        }
      }),
      { numRuns: 5, ...seed },
    )
  })

  it("reaches what it is about", { timeout: 60_000 }, async () => {
    let [dimmed, stacked, forked] = [0, 0, 0]
    for (const list of fc.sample(steps(25), { numRuns: 60, seed: 7 })) {
      const { papers } = await walk(list, (clock) => new MemoryStore(clock))
      dimmed += papers.filter((paper) => paper.visible.length < paper.line.length).length
      stacked += papers.filter((paper) => paper.stack.length > 1).length
      forked += papers.length - 1
    }
    expect(dimmed).toBeGreaterThan(20)
    expect(stacked).toBeGreaterThan(5)
    expect(forked).toBeGreaterThan(20)
  })
})
