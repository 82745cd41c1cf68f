/**
 * What branching, rolling back, opening and the context of a turn cost, counted in what is asked of the store: the same
 * for ten messages as for ten thousand.
 */
import type { Append, Appended, Model, RowQuery, RowsRead, Store } from "@parlor/core"
import { MemoryStore } from "@parlor/core/testing"
import { emptyUsage, type StreamId } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { withMembers } from "../support/with-members.ts"
import { openWorld, type World } from "./world.ts"

type Cost = { reads: number; rows: number; commits: number; changes: number; bytes: number }

function counted(store: Store): { readonly store: Store; readonly cost: Cost } {
  const cost: Cost = { reads: 0, rows: 0, commits: 0, changes: 0, bytes: 0 }
  const verbs = {
    async read(stream: StreamId, queries: readonly RowQuery[]): Promise<RowsRead | undefined> {
      const read = await store.log.read(stream, queries)
      cost.reads += 1
      cost.rows += read?.lists.flat().length ?? 0
      return read
    },
    async commit(batch: readonly Append[]): Promise<readonly Appended[]> {
      cost.commits += 1
      for (const { changes } of batch) {
        cost.changes += changes.length
        cost.bytes += changes.reduce((sum, { value }) => sum + value.length, 0)
      }
      return store.log.commit(batch)
    },
  }
  return { store: withMembers(store, { log: verbs }), cost }
}

type Long = {
  readonly world: World
  readonly ids: readonly string[]
  costOf(work: () => Promise<unknown>): Promise<Cost>
}

/** Answers so slowly that each piece is written before the next comes. */
const inPieces: Model = {
  name: "in pieces",
  window: 100_000,
  async run(_request, { onEvent }) {
    for (const text of ["one ", "two ", "three"]) {
      onEvent({ type: "text", text })
      for (let turns = 0; turns < 20; turns++) await Promise.resolve()
    }
    onEvent({ type: "finish", reason: "stop", usage: emptyUsage })
  },
}

const long = (messages: number) => longWith(messages, undefined)

async function longWith(messages: number, model: Model | undefined): Promise<Long> {
  let cost: Cost | undefined
  const world = await openWorld({
    store: (clock) => {
      const counting = counted(new MemoryStore(clock))
      cost = counting.cost
      return counting.store
    },
    ...(model === undefined ? {} : { model }),
  })
  const lines = Array.from({ length: messages }, (_, index) =>
    JSON.stringify({ role: index % 2 === 0 ? "person" : "agent", text: `message ${String(index).padStart(5, "0")}` }),
  )
  await world.runtime.importLines(world.at("main"), lines, { txid: world.runtime.txid() })
  // A long import is read by the first decision, a short one was written by one: from here on they are alike.
  await world.runtime.mark(world.at("main"), { pinned: true }, world.runtime.txid())
  const ids: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await world.runtime.history(world.at("main"), { before, limit: 5_000 })
    ids.unshift(...page.messages.map(({ id }) => id).reverse())
    if (page.older === null) break
    before = page.older
  }
  return {
    world,
    ids,
    async costOf(work) {
      if (cost === undefined) throw new Error("the store was not opened")
      const before = { ...cost }
      await work()
      const names = Object.keys(before) as (keyof Cost)[]
      return Object.fromEntries(names.map((name) => [name, (cost?.[name] ?? 0) - before[name]])) as Cost
    },
  }
}

/** Of a turn's history. */
const PAGE = 100
/** Ids grow by a digit or two: that is all that may differ. */
const FEW_BYTES = 40

function expectSame(few: Cost, many: Cost, about: string): void {
  expect({ ...many, bytes: 0 }, about).toEqual({ ...few, bytes: 0 })
  expect(Math.abs(many.bytes - few.bytes), about).toBeLessThanOrEqual(FEW_BYTES)
}

describe("cost at ten and at ten thousand messages", () => {
  const branch = ({ world }: Long, from: string | undefined) =>
    world.runtime.makeBranch(world.at("main"), {
      from,
      name: undefined,
      ephemeral: false,
      txid: world.runtime.txid(),
    })
  const rollBack = ({ world }: Long, to: string | undefined) =>
    world.runtime.rollBack(world.at("main"), { to: to ?? "", scope: "both", edit: false, txid: world.runtime.txid() })

  it("[BRA-2] branching, from the first message and from the last", async () => {
    const [few, many] = [await long(10), await long(10_000)]
    for (const place of [0, -1])
      expectSame(
        await few.costOf(() => branch(few, few.ids.at(place))),
        await many.costOf(() => branch(many, many.ids.at(place))),
        `branching from ${place}`,
      )
    const opened = await many.world.open("message-00000")
    expect(opened.messages).toHaveLength(1)
    await few.world.close()
    await many.world.close()
  })

  it("[RBK-1] rolling back, cancelling, and doing so again", async () => {
    const [few, many] = [await long(10), await long(10_000)]
    const cancel = ({ world }: Long, id: string) =>
      world.runtime.cancelRollback(world.at("main"), id, world.runtime.txid())
    for (const round of [1, 2]) {
      let ids = ["", ""]
      expectSame(
        await few.costOf(async () => {
          ids = [(await rollBack(few, few.ids[0])).rollback.id, ""]
        }),
        await many.costOf(async () => {
          ids = [ids[0] ?? "", (await rollBack(many, many.ids[0])).rollback.id]
        }),
        `rolling back, round ${round}`,
      )
      expectSame(
        await few.costOf(() => cancel(few, ids[0] ?? "")),
        await many.costOf(() => cancel(many, ids[1] ?? "")),
        `cancelling, round ${round}`,
      )
    }
    await few.world.close()
    await many.world.close()
  })

  it("[LOG-8] opening: as it is, rolled back, and in a branch", async () => {
    const [few, many] = [await long(10), await long(10_000)]
    const open = ({ world }: Long, name: string) => world.runtime.snapshot(world.at(name), { messages: 3 })
    const both = async (name: (one: Long) => string, about: string) =>
      expectSame(await few.costOf(() => open(few, name(few))), await many.costOf(() => open(many, name(many))), about)
    await both(() => "main", "opening")
    const names = new Map<Long, string>()
    for (const one of [few, many]) names.set(one, (await branch(one, one.ids.at(-1))).branch)
    await both((one) => names.get(one) ?? "", "opening a branch")
    for (const one of [few, many]) await rollBack(one, one.ids[0])
    await both(() => "main", "opening what is rolled back")
    await few.world.close()
    await many.world.close()
  })

  it("a turn reads nothing of what this process wrote before, though the answers come in pieces", async () => {
    const long = await longWith(1_000, inPieces)
    const turn = () => long.world.say("main", "on", { messages: 1 })
    // The first one reads what was imported.
    await turn()
    for (const round of [1, 2, 3]) {
      const { rows, commits } = await long.costOf(turn)
      expect(commits, `written in pieces, turn ${round}`).toBeGreaterThan(2)
      expect(rows, `rows read, turn ${round}`).toBeLessThan(100)
    }
    await long.world.close()
  })

  it("[RBK-2] the context of a turn below ten thousand dimmed messages: as many reads as below none", async () => {
    const [few, many] = [await long(2), await long(10_000)]
    await rollBack(many, many.ids[0])
    const turn = ({ world }: Long) => world.say("main", "on", { messages: 1 })
    const [alone, below] = [await few.costOf(() => turn(few)), await many.costOf(() => turn(many))]
    const told = many.world.requests.at(-1)?.messages.map((message) => (message.role === "person" ? message.text : ""))
    expect(told).toEqual(["message 00000\n\non"])
    // One page is read to find that it is dimmed, and one below it.
    expect(below.reads - alone.reads).toBeLessThanOrEqual(2)
    expect(below.rows - alone.rows).toBeLessThanOrEqual(2 * PAGE)
    expect(below.commits).toBe(alone.commits)
    await few.world.close()
    await many.world.close()
  })

  it("[BRA-1] the context of a turn in a deep branch reads each conversation above it a few times", async () => {
    const one = await long(100)
    const { world } = one
    let name = "main"
    for (let depth = 0; depth < 10; depth++) {
      await world.say(name, "down")
      const { messages } = await world.open(name)
      const from = messages.at(-1)?.id
      const asked = { from, name: `depth-${depth}`, ephemeral: false, txid: world.runtime.txid() }
      name = (await world.runtime.makeBranch(world.at(name), asked)).branch
    }
    const shallow = await one.costOf(() => world.say("main", "on", { messages: 1 }))
    const deep = await one.costOf(() => world.say(name, "on", { messages: 1 }))
    expect(deep.commits).toBe(shallow.commits)
    expect(deep.reads - shallow.reads).toBeLessThanOrEqual(10 * 3)
    await world.close()
  })
})
