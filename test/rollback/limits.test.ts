/** The ends of what branches and rollbacks may do, and two who do it at once. */
import { MemoryStore } from "@parlor/core/testing"
import { limits, Refusal } from "@parlor/protocol"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openWorld, type World, type WorldOptions } from "./world.ts"

const inMemory: WorldOptions["store"] = (clock) => new MemoryStore(clock)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  )

describe("limits", () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ store: inMemory })
  })
  afterEach(() => world.close())

  const branch = (from: string, message: string | undefined, more: { name?: string; ephemeral?: boolean } = {}) =>
    world.runtime.makeBranch(world.at(from), {
      from: message,
      name: more.name,
      ephemeral: more.ephemeral ?? false,
      txid: world.runtime.txid(),
    })

  it("[BRA-1] a branch of a branch may be so deep and no deeper, and is whole at the deepest", async () => {
    let name = "main"
    for (let depth = 0; depth <= limits.branchDepth; depth++) {
      const said = await world.say(name, `p${depth}`)
      if (depth === limits.branchDepth) {
        expect((await world.open(name)).messages).toHaveLength(2 * (limits.branchDepth + 1))
        expect(await codeOf(branch(name, said.at(-1)?.id))).toBe("branch.too-deep")
        const first = (await world.open(name)).messages[0]?.id
        expect((await branch(name, first, { name: "from-the-top" })).branch, "one from above is not").toBe(
          "from-the-top",
        )
      } else name = (await branch(name, said.at(-1)?.id, { name: `depth-${depth}` })).branch
    }
  })

  it("[BRA-6] a conversation has so many branches and no more; deleting one makes room", {
    timeout: 60_000,
  }, async () => {
    const [message] = await world.say("main", "hello")
    for (let count = 0; count < limits.branches; count++)
      await branch("main", message?.id, { name: `b${count}`, ephemeral: true })
    expect(await codeOf(branch("main", message?.id, { name: "one-more" }))).toBe("branch.too-many")
    await world.runtime.remove(world.at("b7"), { branches: [], txid: world.runtime.txid() })
    expect(await codeOf(branch("main", message?.id, { name: "one-more" }))).toBe("done")
    expect(await world.runtime.listBranches(world.at("main"))).toHaveLength(limits.branches)
  })

  it("[RBK-6] a conversation has so many rollbacks and no more", { timeout: 60_000 }, async () => {
    const said = await world.say("main", "hello")
    const to = said[0]?.id ?? ""
    const { runtime, at } = world
    const rollBack = () =>
      runtime.rollBack(at("main"), { to, scope: "conversation", edit: false, txid: runtime.txid() })
    for (let count = 0; count < limits.rollbacks; count++)
      await runtime.cancelRollback(at("main"), (await rollBack()).rollback.id, runtime.txid())
    expect(await codeOf(rollBack())).toBe("rollback.too-many")
    expect((await world.open("main")).messages.map(({ dimmed }) => dimmed)).toEqual([false, false])
  })

  it("[BRA-6] two who want the same name at once: one has it, the other is told, and no parent lists what is not its own", async () => {
    const [first] = await world.say("main", "hello")
    await world.runtime.make(world.at("other"), world.runtime.txid())
    const [second] = await world.say("other", "hello")
    const outcomes = await Promise.all([
      codeOf(branch("main", first?.id, { name: "same" })),
      codeOf(branch("other", second?.id, { name: "same" })),
    ])
    expect(outcomes.sort()).toEqual(["branch.taken", "done"])
    const listed = [await world.open("main"), await world.open("other")].flatMap(({ branches }) => branches)
    expect(listed).toHaveLength(1)
  })

  it("[BRA-6] two who branch from the same message at once get two names", async () => {
    const [message] = await world.say("main", "hello")
    const made = await Promise.all([1, 2, 3].map(() => branch("main", message?.id)))
    expect(made.map((place) => place.branch).sort()).toEqual(["hello", "hello-2", "hello-3"])
    expect(await world.runtime.listBranches(world.at("main"))).toHaveLength(3)
  })

  it("[RBK-6] two who roll back at once: both are done, one after the other, and are undone in reverse", async () => {
    const first = await world.say("main", "one")
    const second = await world.say("main", "two")
    const { runtime, at } = world
    const rollBack = (to = "") =>
      codeOf(runtime.rollBack(at("main"), { to, scope: "both", edit: false, txid: runtime.txid() }))
    const outcomes = await Promise.all([rollBack(first[0]?.id), rollBack(second[0]?.id)])
    const { rollbacks, status } = await world.open("main")
    expect(status.state).toBe("idle")
    // The one to the later message finds it dimmed when it comes second.
    expect(outcomes.filter((code) => code === "done")).toHaveLength(rollbacks.length)
    for (const code of outcomes) expect(["done", "rollback.dimmed"]).toContain(code)
  })
})

it("[RBK-7] a file too large to keep a copy of is told in the preview and never touched", async () => {
  const world = await openWorld({ store: inMemory })
  const { runtime, at, disk, clock } = world
  const txid = runtime.txid()
  await runtime.writeFile(at("main"), "big.bin", new TextEncoder().encode("small"), { txid })
  await clock.advance(10)
  const [message] = await world.say("main", "hello")
  await runtime.writeFile(at("main"), "other.txt", new TextEncoder().encode("made later"), { txid })
  const place = await world.folder("main")
  disk.byHand(place, "big.bin", "x".repeat(limits.fileBytes + 1), clock.now())
  const asked = { to: message?.id ?? "", scope: "both", edit: false, txid } as const
  expect((await runtime.previewRollback(at("main"), asked)).files).toEqual([
    { path: "big.bin", change: "kept", conflict: true, diff: null },
    { path: "other.txt", change: "removed", conflict: false, diff: expect.stringContaining("-made later") },
  ])
  const { rollback } = await runtime.rollBack(at("main"), asked)
  expect(rollback.files.map(({ path }) => path)).toEqual(["other.txt"])
  expect(disk.text(place, "big.bin")).toHaveLength(limits.fileBytes + 1)
  await world.close()
})

it("[BRA-4] closing a sidecar deletes it when the host is set so, unless others hang on it", async () => {
  const world = await openWorld({ store: inMemory, settings: { closedSidecars: "delete" } })
  const { runtime, at } = world
  const [message] = await world.say("main", "hello")
  const sidecar = (name: string, of = "main") =>
    runtime.makeBranch(at(of), { from: message?.id, name, ephemeral: true, txid: runtime.txid() })
  await sidecar("aside")
  await sidecar("deeper", "aside")
  expect((await runtime.closeSidecar(at("aside"), runtime.txid())).kept).toBe(true)
  expect((await runtime.closeSidecar(at("deeper"), runtime.txid())).kept).toBe(false)
  expect((await runtime.closeSidecar(at("aside"), runtime.txid())).kept).toBe(false)
  expect(await runtime.listBranches(at("main"))).toEqual([])
  await expect(runtime.conversation(at("aside"))).rejects.toThrow("There is no conversation")
  await world.close()
})
