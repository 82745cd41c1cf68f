import { finish, type Gate, gate, says } from "@parlor/core/testing"
import { inQueueOrder } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

let stage: Stage
const open = async (options: StageOptions) => {
  stage = await openStage(options)
  return stage
}
afterEach(() => stage.close())

const holds = (text: string, until: Gate) => [{ type: "text", text } as const, until, finish()]

/** A busy conversation with messages waiting, by their texts. */
async function busyWith(...texts: string[]) {
  const busy = gate()
  await open({ scripts: [holds("Busy", busy)], fallback: says("ok") })
  await stage.send("first")
  const ids: string[] = []
  for (const text of texts) ids.push((await stage.send(text)).message)
  await stage.until((rows) => rows.deltas.size > 0)
  return { busy, ids: ids as [string, string, string] }
}

const asked = async () =>
  (await stage.transcript()).filter((line) => line.startsWith("person")).map((line) => line.slice("person: ".length))
const waiting = async () =>
  inQueueOrder((await stage.rows()).queue.values()).map((row) => (row.payload as { source: string }).source)

describe("waiting messages", () => {
  it("[QUE-17, QUE-18] a long one is leased, edited, moved, sent now and started as a short one is, word for word", async () => {
    const long = (name: string) => `${name} ${"word ".repeat(1_000)}.`
    const { busy, ids } = await busyWith(long("a"), long("b"), long("c"))
    const [a, b, c] = ids
    const leased = await stage.runtime.lease(address, a, "tab", txid)
    expect(leased).toMatchObject({ payload: { source: long("a") }, lease: { holder: "tab" } })
    expect(await stage.runtime.release(address, a, txid)).toMatchObject({ payload: { source: long("a") }, lease: null })
    await stage.runtime.edit(address, b, { text: long("B"), version: 1 }, txid)
    expect(await stage.runtime.edit(address, b, { before: a, version: 2 }, txid)).toMatchObject({
      payload: { source: long("B") },
      version: 3,
    })
    const sent = await stage.send(long("removed"), { mode: "paused" })
    await stage.runtime.removeQueued(address, sent.message, txid)
    expect(await waiting()).toEqual([long("B"), long("a"), long("c")])
    expect((await stage.runtime.sendNow(address, c, txid)).outcome).toBe("started")
    busy.open()
    await stage.idle()
    expect(await asked()).toEqual(["first", long("c"), long("B"), long("a")])
    const left = (await stage.log()).filter(({ type, headers }) => type === "queue" && headers.operation === "delete")
    expect(left.map(({ key }) => key)).toEqual([sent.message, c, b, a])
    for (const { value } of left) expect(value).toMatchObject({ payload: null, attachments: [] })
  })

  it("[QUE-17] a long one that steers joins the turn, and long ones that are cleared are gone", async () => {
    const long = "word ".repeat(1_000)
    const { busy } = await busyWith("a")
    await stage.send(`steer ${long}`, { mode: "steer" })
    for (let n = 0; n < 10; n++) await stage.send(`paused ${long}`, { mode: "paused" })
    busy.open()
    await stage.idle()
    expect(await asked()).toEqual(["first", `steer ${long}`, "a"])
    expect(await stage.runtime.clear(address, txid)).toEqual({ removed: 10 })
    expect(await waiting()).toEqual([])
  })

  it("[QUE-7] an edit carries the version it saw; of two racing edits exactly one wins", async () => {
    const { busy, ids } = await busyWith("a")
    const edits = await Promise.allSettled(
      ["x", "y"].map((text) => stage.runtime.edit(address, ids[0], { text, version: 1 }, txid)),
    )
    expect(edits.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"])
    expect(edits.find((one) => one.status === "rejected")).toMatchObject({ reason: { code: "message.changed" } })
    busy.open()
    await stage.idle()
    const winner = edits[0]?.status === "fulfilled" ? "x" : "y"
    expect(await asked()).toEqual(["first", winner])
  })

  it("[QUE-3] a message can be moved between any two", async () => {
    const { busy, ids } = await busyWith("a", "b", "c")
    await stage.runtime.edit(address, ids[2], { before: ids[0], version: 1 }, txid)
    expect(await waiting()).toEqual(["c", "a", "b"])
    await stage.runtime.edit(address, ids[2], { after: ids[0], version: 2 }, txid)
    expect(await waiting()).toEqual(["a", "c", "b"])
    await expect(stage.runtime.edit(address, ids[0], { before: "msg_no", version: 1 }, txid)).rejects.toMatchObject({
      code: "position.invalid",
      pointer: "/before",
    })
    busy.open()
    await stage.idle()
    expect(await asked()).toEqual(["first", "a", "c", "b"])
  })

  it("[QUE-9] a removed message never runs, a started one never changes, and who comes late is told", async () => {
    const { busy, ids } = await busyWith("a", "b")
    await stage.runtime.removeQueued(address, ids[0], txid)
    await expect(stage.runtime.removeQueued(address, ids[0], txid)).rejects.toMatchObject({
      code: "message.not-queued",
    })
    busy.open()
    await stage.idle()
    expect(await asked()).toEqual(["first", "b"])
    const late = stage.runtime.edit(address, ids[1], { text: "too late", version: 1 }, txid)
    await expect(late).rejects.toMatchObject({
      code: "message.not-queued",
      message: expect.stringContaining("has already started"),
    })
  })

  it("[QUE-8] a leased message does not start under the editor's hands, and those behind it wait", async () => {
    const { busy, ids } = await busyWith("a", "b")
    await stage.runtime.lease(address, ids[0], "tab-1", txid)
    busy.open()
    await stage.until((rows) => rows.status.get("status")?.turn === null)
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(await waiting()).toEqual(["a", "b"])
    expect(await stage.send("c")).toMatchObject({ outcome: "queued", place: 3 })
    await stage.runtime.edit(address, ids[0], { text: "a, mended", version: 1 }, txid)
    await stage.idle()
    expect(await asked()).toEqual(["first", "a, mended", "b", "c"])
  })

  it("[QUE-4] when a turn ends by itself the next starts a moment later, and can still be edited until then", async () => {
    const busy = gate()
    await open({ scripts: [holds("Busy", busy)], fallback: says("ok"), settings: { drainDelayMs: 300 } })
    await stage.send("first")
    const { message } = await stage.send("a")
    busy.open()
    await stage.until((rows) => rows.status.get("status")?.turn === null)
    expect(await waiting()).toEqual(["a"])
    await stage.runtime.edit(address, message, { text: "a, just in time", version: 1 }, txid)
    await stage.idle()
    expect(await asked()).toEqual(["first", "a, just in time"])
    const turns = [...(await stage.rows()).turns.values()].sort((a, b) => a.startedAt - b.startedAt)
    expect((turns[1]?.startedAt ?? 0) - (turns[0]?.endedAt ?? 0)).toBeGreaterThanOrEqual(290)
  })

  it("[QUE-7] a message can be paused and released", async () => {
    const { busy, ids } = await busyWith("a", "b")
    await stage.runtime.edit(address, ids[0], { mode: "paused", version: 1 }, txid)
    busy.open()
    await stage.until((rows) => rows.status.get("status")?.turn === null && rows.messages.size === 4)
    expect(await asked()).toEqual(["first", "b"])
    await stage.runtime.edit(address, ids[0], { mode: "immediate", version: 2 }, txid)
    await stage.until((rows) => rows.queue.size === 0 && rows.status.get("status")?.turn === null)
    expect(await asked()).toEqual(["first", "b", "a"])
  })

  it("[QUE-10] send now stops the turn, keeps its partial answer, starts that message; the others follow in order", async () => {
    const { ids } = await busyWith("a", "b", "c")
    const sent = await stage.runtime.sendNow(address, ids[1], txid)
    expect(sent).toMatchObject({ message: ids[1], outcome: "started" })
    await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: first",
      "agent (truncated): Busy",
      "person: b",
      "agent: ok",
      "person: a",
      "agent: ok",
      "person: c",
      "agent: ok",
    ])
    const log = await stage.log()
    const stopped = log.find((change) => change.type === "turns" && change.value.state === "stopped")
    const started = log.find((change) => change.type === "turns" && change.value.message === ids[1])
    expect(stopped?.headers.timestamp).toBe(started?.headers.timestamp)
    await expect(stage.runtime.sendNow(address, ids[1], txid)).rejects.toMatchObject({ code: "message.not-queued" })
  })

  it("[QUE-10] send now on a held queue starts that message and lets the others go on after it", async () => {
    const { ids } = await busyWith("a", "b")
    await stage.runtime.stop(address, { turn: undefined, onQueue: undefined, txid })
    await stage.runtime.sendNow(address, ids[1], txid)
    await stage.idle()
    expect(await asked()).toEqual(["first", "b", "a"])
  })

  it("[QUE-5] hold and resume; a stop may drain or clear instead", async () => {
    const { busy } = await busyWith("a")
    expect(await stage.runtime.hold(address, txid)).toMatchObject({ held: { reason: "asked" }, queued: 1 })
    busy.open()
    await stage.until((rows) => rows.status.get("status")?.turn === null)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(await waiting()).toEqual(["a"])
    expect(await stage.runtime.resume(address, txid)).toMatchObject({ held: null })
    await stage.until((rows) => rows.queue.size === 0 && rows.status.get("status")?.turn === null)
    expect(await asked()).toEqual(["first", "a"])
  })

  it("[QUE-5] a stop that drains lets the queue go on, one that clears empties it", async () => {
    await busyWith("a")
    await stage.runtime.stop(address, { turn: undefined, onQueue: "drain", txid })
    await stage.until((rows) => rows.queue.size === 0 && rows.status.get("status")?.turn === null)
    expect(await asked()).toEqual(["first", "a"])
    await stage.close()
    await busyWith("a", "b")
    await stage.runtime.stop(address, { turn: undefined, onQueue: "clear", txid })
    expect(await waiting()).toEqual([])
    expect((await stage.rows()).status.get("status")?.held).toBeNull()
  })

  it("[QUE-15] a full queue refuses clearly and stores nothing; a position that is none too", async () => {
    const busy = gate()
    await open({ scripts: [holds("Busy", busy)], settings: { queueLimit: 2 } })
    await stage.send("first")
    await stage.send("a")
    await stage.send("b")
    await expect(stage.send("c")).rejects.toMatchObject({ code: "queue.full" })
    expect(await waiting()).toEqual(["a", "b"])
    await expect(stage.send("d", { position: "!!" })).rejects.toMatchObject({ code: "position.invalid" })
    busy.open()
  })
})

describe("steering", () => {
  it("[TRN-9] reaches the running turn at its next step boundary", async () => {
    const busy = gate()
    await open({ scripts: [holds("Working", busy), says("Changed course.")], fallback: says("no") })
    const { turn } = await stage.send("Do it")
    await stage.until((rows) => rows.deltas.size > 0)
    expect(await stage.send("The other way", { mode: "steer" })).toMatchObject({ outcome: "steering", turn })
    expect([...(await stage.rows()).queue.values()]).toMatchObject([{ mode: "steer" }])
    busy.open()
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: Do it",
      "agent: Working",
      "person: The other way",
      "agent: Changed course.",
    ])
    expect(rows.turns.size).toBe(1)
  })

  it("[TRN-9, QUE-3] several join in the order they were sent, and are next in that order when the turn ends first", async () => {
    for (const stopped of [false, true]) {
      const busy = gate()
      await open({ scripts: [holds("Working", busy)], fallback: says("ok") })
      await stage.send("Do it")
      await stage.until((rows) => rows.deltas.size > 0)
      await stage.send("later")
      for (const text of ["one", "two", "three"]) await stage.send(text, { mode: "steer" })
      if (stopped) await stage.runtime.stop(address, { turn: undefined, onQueue: "drain", txid })
      else busy.open()
      await stage.until((rows) => rows.queue.size === 0 && rows.status.get("status")?.turn === null)
      expect(await asked()).toEqual(["Do it", "one", "two", "three", "later"])
      if (!stopped) await stage.close()
    }
  })

  it("[TRN-9] becomes the next message when the turn ends first; with nothing running it says so", async () => {
    await open({ scripts: [holds("Working", gate())], fallback: says("ok") })
    await stage.send("Do it")
    await stage.until((rows) => rows.deltas.size > 0)
    await stage.send("later")
    await stage.send("The other way", { mode: "steer" })
    await stage.runtime.stop(address, { turn: undefined, onQueue: "drain", txid })
    await stage.until((rows) => rows.queue.size === 0 && rows.status.get("status")?.turn === null)
    expect(await asked()).toEqual(["Do it", "The other way", "later"])
    expect(await stage.send("alone", { mode: "steer" })).toMatchObject({
      outcome: "started",
      note: { code: "steer.nothing-running" },
    })
    await stage.idle()
  })
})
