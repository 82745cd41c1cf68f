/**
 * [RBK-9] The process dies before or after any one of the things a rollback does to the store or to the disk. Whoever
 * comes next finds it wholly done or wholly not: messages, files in the store, files on disk, and the slot.
 */
import { FakeClock, MemoryFiles, MemoryStore } from "@parlor/core/testing"
import type { Snapshot } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { openWorld, type World } from "./world.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
/** Longer than a lease, and than the time between two sweeps. */
const LEASE_AND_SWEEP_MS = 30_000

/** What a dying process does: it comes as far as so many operations, and then says nothing more. */
type Death = { readonly at: number; readonly when: "before" | "after" }

class Mortal {
  count = 0
  #death: Death | undefined

  arm(death: Death | undefined): void {
    this.count = 0
    this.#death = death
  }

  /** Resolves while it lives. */
  before(): Promise<void> | undefined {
    this.count += 1
    const { at, when } = this.#death ?? { at: Number.POSITIVE_INFINITY, when: "before" }
    if (this.count > at || (this.count === at && when === "before")) return new Promise(() => {})
    return undefined
  }

  after(): Promise<void> | undefined {
    return this.count >= (this.#death?.at ?? Number.POSITIVE_INFINITY) ? new Promise(() => {}) : undefined
  }
}

/** A disk that all processes of a machine share; a dead one touches it no more. */
function mortalDisk(disk: MemoryFiles, mortal: Mortal): MemoryFiles {
  return new Proxy(disk, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (name !== "write" && name !== "remove" && name !== "clear") {
        return typeof member === "function" ? member.bind(target) : member
      }
      return async (...args: unknown[]) => {
        await mortal.before()
        const answer = await (member as (...args: unknown[]) => Promise<unknown>).apply(target, args)
        await mortal.after()
        return answer
      }
    },
  })
}

function mortalStore(memory: MemoryStore, mortal: Mortal): MemoryStore {
  const store = memory.node()
  const { commit, keepBlob } = store
  store.commit = async (batch) => {
    await mortal.before()
    const answers = await commit.call(store, batch)
    await mortal.after()
    return answers
  }
  store.keepBlob = async (...args) => {
    await mortal.before()
    await keepBlob.apply(store, args)
    await mortal.after()
  }
  return store
}

type Stage = { readonly world: World; readonly memory: MemoryStore; readonly disk: MemoryFiles; readonly mortal: Mortal }

/** One message, then the agent's answer and everything that a rollback to it undoes. */
async function prepared(): Promise<Stage> {
  const clock = new FakeClock()
  const memory = new MemoryStore(clock)
  const disk = new MemoryFiles()
  const mortal = new Mortal()
  const world = await openWorld({ clock, store: () => mortalStore(memory, mortal), disk: mortalDisk(disk, mortal) })
  const { runtime, at, say, folder } = world
  const txid = runtime.txid()
  const write = (path: string, text: string) => runtime.writeFile(at("main"), path, bytes(text), { txid })
  await write("changed.txt", "old")
  await write("deleted.txt", "was here")
  await write("edited.txt", "as written")
  await clock.advance(10)
  await say("main", "first")
  await clock.advance(10)
  await write("changed.txt", "new")
  await write("made/later.txt", "made later")
  await runtime.removeFile(at("main"), "deleted.txt", { txid })
  await write("edited.txt", "written again")
  await say("main", "second")
  disk.byHand(await folder("main"), "edited.txt", "edited by hand", clock.now())
  return { world, memory, disk, mortal }
}

/** Another process on the same machine, after the lease of the dead one ran out. */
async function reborn({ world, memory, disk }: Stage): Promise<World> {
  const next = await openWorld({ clock: world.clock, store: () => memory.node(), disk })
  await world.clock.advance(LEASE_AND_SWEEP_MS)
  await next.rest("main")
  return next
}

type Seen = { readonly visible: readonly string[]; readonly files: Readonly<Record<string, string>>; readonly disk: unknown }

async function seen(world: World, disk: MemoryFiles): Promise<Seen> {
  const { runtime, at, open, folder } = world
  const snapshot = await open("main")
  expect(snapshot.status).toMatchObject({ state: "idle", busyWith: null })
  expect(snapshot.rollbacks.map(({ state }) => state).filter((state) => state !== "done")).toEqual([])
  const files: Record<string, string> = {}
  for (const { path } of await runtime.files(at("main"), { at: undefined })) {
    const { content } = await runtime.readFile(at("main"), path, { at: undefined })
    files[path] = new TextDecoder().decode(content)
  }
  const place = await folder("main")
  const onDisk = Object.fromEntries(disk.paths(place).map((path) => [path, disk.text(place, path)]))
  return { visible: visibleIn(snapshot), files, disk: onDisk }
}

function visibleIn({ messages }: Snapshot): readonly string[] {
  return messages.filter(({ dimmed }) => !dimmed).map(({ id }) => id)
}

const BEFORE = {
  "changed.txt": "new",
  "edited.txt": "edited by hand",
  "made/later.txt": "made later",
}
const AFTER = { "changed.txt": "old", "deleted.txt": "was here", "edited.txt": "as written" }

async function rollBack({ world }: Stage, messages: Snapshot["messages"]): Promise<string> {
  const { runtime, at } = world
  const to = messages[0]?.id ?? ""
  const { rollback } = await runtime.rollBack(at("main"), { to, scope: "both", edit: false, txid: runtime.txid() })
  return rollback.id
}

describe("a process that dies while it rolls back", () => {
  it("[RBK-5] [RBK-7] undisturbed, the rollback and its cancelling are the identity, edits by hand included", async () => {
    const stage = await prepared()
    const { world, disk } = stage
    const before = await seen(world, disk)
    expect(before).toMatchObject({ files: BEFORE, disk: BEFORE })
    const { messages } = await world.open("main")
    const id = await rollBack(stage, messages)
    const rolledBack = await seen(world, disk)
    expect(rolledBack).toEqual({ visible: [messages[0]?.id], files: AFTER, disk: AFTER })
    await world.runtime.cancelRollback(world.at("main"), id, world.runtime.txid())
    expect(await seen(world, disk)).toEqual(before)
    await world.close()
  })

  for (const verb of ["rolling back", "cancelling"] as const)
    it(`[RBK-9] at every write to the store and to the disk while ${verb}`, { timeout: 120_000 }, async () => {
      let outcomes = { done: 0, not: 0 }
      let total = Number.POSITIVE_INFINITY
      for (let at = 1; at <= total; at++)
        for (const when of ["before", "after"] as const) {
          const stage = await prepared()
          const { world, disk, mortal } = stage
          const { messages } = await world.open("main")
          const work = await begun(stage, verb, messages)
          const before = await seen(world, disk)
          mortal.arm(total === Number.POSITIVE_INFINITY ? undefined : { at, when })
          if (total === Number.POSITIVE_INFINITY) {
            await work()
            total = mortal.count
            at = 0
            break
          }
          const answered = await settledSoon(work())
          const next = await reborn(stage)
          const after = await seen(next, disk)
          const rolledBack = { visible: [messages[0]?.id], files: AFTER, disk: AFTER }
          const original = { visible: messages.map(({ id }) => id), files: BEFORE, disk: BEFORE }
          const done = verb === "cancelling" ? original : rolledBack
          const isDone = JSON.stringify(after.visible) === JSON.stringify(done.visible)
          outcomes = isDone ? { ...outcomes, done: outcomes.done + 1 } : { ...outcomes, not: outcomes.not + 1 }
          expect(after, `killed ${when} operation ${at} of ${total}`).toEqual(isDone ? done : before)
          // What was answered with success is never lost (LOG-4).
          if (answered) expect(isDone).toBe(true)
          await next.say("main", "and the conversation goes on")
          await next.close()
        }
      expect(total).toBeGreaterThan(6)
      expect(outcomes.done).toBeGreaterThan(3)
      expect(outcomes.not).toBeGreaterThan(0)
    })
})

/** What is to be done and may be cut off. */
async function begun(
  stage: Stage,
  verb: "rolling back" | "cancelling",
  messages: Snapshot["messages"],
): Promise<() => Promise<unknown>> {
  if (verb === "rolling back") return () => rollBack(stage, messages)
  const id = await rollBack(stage, messages)
  const { runtime, at } = stage.world
  return () => runtime.cancelRollback(at("main"), id, runtime.txid())
}

/** Whether it was answered before the process died: hashing takes real time, everything else none. */
async function settledSoon(work: Promise<unknown>): Promise<boolean> {
  let isSettled = false
  void work.then(() => {
    isSettled = true
  })
  for (let turns = 0; turns < 200 && !isSettled; turns++) await new Promise((resolve) => setImmediate(resolve))
  return isSettled
}
