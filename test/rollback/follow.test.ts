/**
 * A rollback is in the log, and the disk does not follow yet, or cannot: files still on disk that the rollback undid are
 * not taken for edits by hand. A turn starts only when the disk was updated.
 */
import { countingIds, FakeClock, gate, MemoryFiles, MemoryStore } from "@parlor/core/testing"
import { COMPOSER_INPUT } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { openWorld, type World } from "./world.ts"

const PATHS = ["edited.txt", "made.txt"]
const AFTER = { "edited.txt": "as written" }

type Stage = { readonly world: World; readonly disk: MemoryFiles; readonly first: string }

/** One file edited by hand and one made by hand, since the first message. */
async function edited(): Promise<Stage> {
  const clock = new FakeClock()
  const disk = new MemoryFiles()
  const world = await openWorld({ clock, disk, store: () => new MemoryStore(clock) })
  const { runtime, at, say, folder } = world
  await runtime.writeFile(at("main"), "edited.txt", bytes("as written"), { txid: runtime.txid() })
  await clock.advance(10)
  const [first] = await say("main", "first")
  await clock.advance(10)
  for (const path of PATHS) disk.byHand(await folder("main"), path, "by hand", clock.now())
  return { world, disk, first: first?.id ?? "" }
}

const bytes = (text: string) => new TextEncoder().encode(text)

function rollBack({ world: { runtime, at }, first }: Stage) {
  return runtime.rollBack(at("main"), { to: first, scope: "both", edit: false, txid: runtime.txid() })
}

async function listed({ runtime, at }: World): Promise<readonly string[]> {
  return (await runtime.files(at("main"), { at: undefined })).map(
    (file) => `${"by" in file ? file.by : ""} ${file.path}`,
  )
}

/** Who changed what, oldest first. */
async function changes({ runtime, at }: World): Promise<readonly string[]> {
  const page = await runtime.fileChanges(at("main"), { turn: undefined, cursor: undefined, limit: 100 })
  return page.changes.map(({ by, path }) => `${by} ${path}`).reverse()
}

async function onDisk({ folder }: World, disk: MemoryFiles): Promise<Record<string, string | undefined>> {
  const place = await folder("main")
  return Object.fromEntries(disk.paths(place).map((path) => [path, disk.text(place, path)]))
}

const ROLLED_BACK = [
  ...["person edited.txt", "hand edited.txt", "hand made.txt"],
  ...["rollback made.txt", "rollback edited.txt"],
]

describe("a disk that lags behind a rollback", () => {
  it("[RBK-9] [WSP-7] a message waits until it followed, lists show the rows, and nothing is recorded twice", async () => {
    const stage = await edited()
    const { world, disk } = stage
    const { runtime, at } = world
    const held = gate()
    const reached = gate()
    disk.before = async (verb) => {
      if (verb !== "write" && verb !== "remove") return
      reached.open()
      await held.opened
    }
    const rolling = rollBack(stage)
    await reached.opened
    expect(await onDisk(world, disk)).toEqual({ "edited.txt": "by hand", "made.txt": "by hand" })
    expect(await listed(world)).toEqual(["rollback edited.txt"])
    const input = { type: COMPOSER_INPUT, payload: { source: "p1 run other.txt text" } }
    await runtime.send(at("main"), { ...input, mode: "immediate", source: "person", txid: runtime.txid() })
    expect(await world.open("main")).toMatchObject({ status: { busyWith: "rollback", turn: null }, queue: [{}] })
    held.open()
    await rolling
    expect(await onDisk(world, disk)).toMatchObject(AFTER)
    await world.rest("main")
    expect(await changes(world)).toEqual([...ROLLED_BACK, "agent:crab other.txt"])
    expect(await onDisk(world, disk)).toEqual({ ...AFTER, "other.txt": "text" })
    await world.close()
  })

  it("[WSP-3] [WSP-7] what a failing disk still has after a rollback is updated before the next command runs", async () => {
    const stage = await edited()
    const { world, disk } = stage
    disk.before = (verb) => {
      if (verb === "write" || verb === "remove") throw Object.assign(new Error("broken"), { code: "EIO" })
    }
    await rollBack(stage)
    disk.before = undefined
    expect(await onDisk(world, disk)).toEqual({ "edited.txt": "by hand", "made.txt": "by hand" })
    expect(await listed(world)).toEqual(["rollback edited.txt"])
    await world.say("main", "p1 run other.txt text")
    expect(await changes(world)).toEqual([...ROLLED_BACK, "agent:crab other.txt"])
    expect(await onDisk(world, disk)).toEqual({ ...AFTER, "other.txt": "text" })
    await world.close()
  })

  it("[WSP-3] [WSP-7] an edit recorded on one node and rolled back on another is updated on the first", async () => {
    const clock = new FakeClock()
    const memory = new MemoryStore(clock)
    const ids = countingIds()
    const disks = [new MemoryFiles(), new MemoryFiles()] as const
    const open = (disk: MemoryFiles) => openWorld({ clock, disk, ids, store: () => memory.node() })
    const [one, other] = [await open(disks[0]), await open(disks[1])]
    const [first] = await one.say("main", "first")
    await clock.advance(10)
    disks[0].byHand(await one.folder("main"), "made.txt", "by hand", clock.now())
    await one.say("main", "p1 run other.txt text")
    expect(await changes(one)).toEqual(["hand made.txt", "agent:crab other.txt"])
    await rollBack({ world: other, disk: disks[1], first: first?.id ?? "" })
    await one.say("main", "p2 run third.txt text")
    const rolledBack = ["rollback made.txt", "rollback other.txt"]
    expect(await changes(one)).toEqual([
      ...["hand made.txt", "agent:crab other.txt"],
      ...rolledBack,
      "agent:crab third.txt",
    ])
    expect(await onDisk(one, disks[0])).toEqual({ "third.txt": "text" })
    await one.close()
    await other.close()
  })
})
