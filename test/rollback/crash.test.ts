/**
 * [RBK-9] The process dies before or after any one of the things a rollback does to the store or to the disk. Whoever
 * comes next finds it wholly done or wholly not: messages, files in the store, files on disk, and the slot.
 */
import type { Ids, Store } from "@parlor/core"
import { countingIds, FakeClock, MemoryFiles, MemoryStore } from "@parlor/core/testing"
import { Fault, type Snapshot } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { type AnyCall, type StoreCall, wrapStore } from "../support/store-calls.ts"
import { openWorld, type World } from "./world.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
/** Longer than a lease, and than the time between two sweeps. */
const LEASE_AND_SWEEP_MS = 30_000

/** Where a process dies: before or after one of the writes it makes. */
type Death = { readonly at: number; readonly when: "before" | "after" }

/** A process as far as the outside can tell: once it is dead, nothing it asks for is done, and nothing answers it. */
class Mortal {
  writes = 0
  readonly died: Promise<void>
  #death: Death | undefined
  #isDead = false
  #die = () => {}

  constructor() {
    this.died = new Promise((resolve) => {
      this.#die = () => {
        this.#isDead = true
        resolve()
      }
    })
  }

  arm(death?: Death): void {
    this.writes = 0
    this.#death = death
  }

  through<T extends object>(target: T, isWrite: (name: string | symbol) => boolean): T {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== "function") return member
        return this.#mortally(member.bind(target), isWrite(name))
      },
    })
  }

  throughStore(store: Store): Store {
    return wrapStore(store, (name, call) => (LOCAL.has(name) ? call : this.#mortally(call, STORE_WRITES.has(name))))
  }

  #mortally(call: AnyCall, isWrite: boolean): AnyCall {
    return (...args) => (isWrite ? this.#write(() => call(...args)) : this.#alive(() => call(...args)))
  }

  async #write(work: () => unknown): Promise<unknown> {
    this.writes += 1
    const isLast = this.writes === this.#death?.at
    if (isLast && this.#death?.when === "before") this.#die()
    const answer = await this.#alive(work)
    if (isLast) this.#die()
    return this.#alive(() => answer)
  }

  #alive(work: () => unknown): unknown {
    return this.#isDead ? new Promise(() => {}) : work()
  }
}

const LOCAL: ReadonlySet<StoreCall> = new Set(["watch", "close"])
const STORE_WRITES: ReadonlySet<StoreCall> = new Set(["log.commit", "blobs.keep"])
const DISK_WRITES = new Set<string | symbol>(["write", "remove", "adopt", "clear"])

type Stage = {
  readonly world: World
  readonly memory: MemoryStore
  readonly disk: MemoryFiles
  readonly mortal: Mortal
  readonly ids: Ids
}

async function prepared(): Promise<Stage> {
  const clock = new FakeClock()
  const memory = new MemoryStore(clock)
  const disk = new MemoryFiles()
  const mortal = new Mortal()
  const ids = countingIds()
  const world = await openWorld({
    clock,
    ids,
    store: () => mortal.throughStore(memory.node()),
    disk: mortal.through(disk, (name) => DISK_WRITES.has(name)),
  })
  await written(world, disk)
  return { world, memory, disk, mortal, ids }
}

/** One message, then the agent's answer and everything that a rollback to it undoes. */
async function written({ clock, runtime, at, say, folder }: World, disk: MemoryFiles): Promise<void> {
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
}

/** Another process on the same machine, after the lease of the dead one ran out. */
async function reborn({ world, memory, disk, ids }: Stage): Promise<World> {
  const next = await openWorld({ clock: world.clock, store: () => memory.node(), disk, ids })
  await world.clock.advance(LEASE_AND_SWEEP_MS)
  await next.rest("main")
  return next
}

type Seen = {
  readonly visible: readonly string[]
  readonly files: Readonly<Record<string, string>>
  readonly disk: unknown
}

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

async function rollBack({ world }: Pick<Stage, "world">, messages: Snapshot["messages"]): Promise<string> {
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
            total = mortal.writes
            at = 0
            break
          }
          const answered = await Promise.race([work().then(() => true), mortal.died.then(() => false)])
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
      expect(total).toBeGreaterThan(5)
      expect(outcomes.done).toBeGreaterThan(3)
      expect(outcomes.not).toBeGreaterThan(0)
    })
})

describe("a store that fails while something is rolled back", () => {
  for (const fault of ["fail", "fail-after"] as const)
    it(`[RBK-9] [LOG-12] at every commit: ${fault}`, { timeout: 60_000 }, async () => {
      let commits = Number.POSITIVE_INFINITY
      const outcomes = new Set<boolean>()
      for (let at = 0; at <= commits; at++) {
        const clock = new FakeClock()
        const memory = new MemoryStore(clock)
        const disk = new MemoryFiles()
        const world = await openWorld({ clock, store: () => memory, disk })
        await written(world, disk)
        const { messages } = await world.open("main")
        const original = await seen(world, disk)
        let count = 0
        memory.hooks.beforeCommit = () => (++count === at ? fault : undefined)
        const answered = await patient(clock, rollBack({ world }, messages))
        if (at === 0) commits = count
        // The command was refused, or its answer lost. What is in the log is carried on when the lease has run out.
        await clock.advance(LEASE_AND_SWEEP_MS)
        await world.rest("main")
        const done = { visible: [messages[0]?.id], files: AFTER, disk: AFTER }
        const after = await seen(world, disk)
        const isDone = after.visible.length === 1
        expect(after, `${fault} at commit ${at} of ${commits}`).toEqual(isDone ? done : original)
        if (answered) expect(isDone).toBe(true)
        outcomes.add(isDone)
        await world.close()
      }
      expect(commits).toBeGreaterThan(1)
      expect(outcomes.size).toBe(2)
    })
})

/** Whether it was answered with success; time goes on while it is not answered. */
async function patient(clock: FakeClock, work: Promise<unknown>): Promise<boolean> {
  let outcome: boolean | undefined
  work.then(
    () => {
      outcome = true
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(Fault)
      outcome = false
    },
  )
  while (outcome === undefined) {
    await clock.advance(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return outcome
}

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
