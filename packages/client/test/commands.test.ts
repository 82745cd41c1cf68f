import { calls, gate, says } from "@parlor/core/testing"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Conversation, LiveConversation } from "../src/index.ts"
import { holds, openRoom, queuedTexts, type Room, spoken, when } from "./room.ts"

let room: Room
let conversation: Conversation
let live: LiveConversation
beforeEach(async () => {
  room = await openRoom()
  conversation = room.parlor.conversation("host")
  live = conversation.live()
})
afterEach(async () => {
  live.close()
  await room.close()
})

/** A turn that runs until its gate opens, with messages queued behind it. */
async function busyWith(...texts: readonly string[]) {
  const busy = gate()
  room.script(holds("Busy", busy))
  await live.send("first")
  const ids: string[] = []
  for (const text of texts) ids.push((await live.send(text)).message)
  await when(live, (state) => state.queue.length === texts.length && spoken(state).at(-1) === "agent (streaming): Busy")
  return { busy, ids: ids as [string, string, string] }
}

const idle = () =>
  when(live, ({ status, queue, phase }) => phase === "ready" && status?.state === "idle" && queue.length === 0)

describe("waiting messages", () => {
  test("[QUE-7] an edit carries the version that is shown; a second edit of the same version is told", async () => {
    const { busy, ids } = await busyWith("a")
    expect(await conversation.edit(ids[0], { text: "b", version: 1 })).toMatchObject({ version: 2 })
    await expect(conversation.edit(ids[0], { text: "c", version: 1 })).rejects.toMatchObject({
      code: "message.changed",
      status: 409,
    })
    await when(live, (state) => state.queue[0]?.version === 2)
    expect(await live.edit(ids[0], { payload: { source: "d" } })).toMatchObject({ version: 3 })
    busy.open()
    await idle()
    expect(spoken(live.getState())).toContain("person: d")
  })

  test("[QUE-3] moves show in the order in which the messages will start", async () => {
    const { ids } = await busyWith("a", "b", "c")
    await live.edit(ids[2], { before: ids[0] })
    await when(live, (state) => queuedTexts(state).join() === "c,a,b")
    await live.edit(ids[2], { after: ids[0] })
    await when(live, (state) => queuedTexts(state).join() === "a,c,b")
    const { position } = live.getState().queue[0] ?? { position: "" }
    await live.send("d", { mode: "queued", position })
    await when(live, (state) => queuedTexts(state).join() === "a,d,c,b")
  })

  test("[QUE-12] a paused message is passed over until it is released", async () => {
    const { busy } = await busyWith()
    const paused = await live.send("later", { mode: "paused" })
    await live.send("sooner")
    busy.open()
    await when(live, ({ status, queue }) => status?.state === "idle" && queue.length === 1)
    expect(live.getState().queue[0]).toMatchObject({ id: paused.message, mode: "paused" })
    await live.edit(paused.message, { mode: "immediate" })
    await idle()
    expect(spoken(live.getState()).filter((line) => line.startsWith("person"))).toEqual([
      "person: first",
      "person: sooner",
      "person: later",
    ])
  })

  test("[QUE-9] a removed message is gone, and removing it again says so", async () => {
    const { ids } = await busyWith("a", "b", "c")
    await live.remove(ids[1])
    await when(live, (state) => queuedTexts(state).join() === "a,c")
    await expect(live.remove(ids[1])).rejects.toMatchObject({ code: "message.not-queued" })
    expect(await live.clearQueue()).toEqual({ removed: 2 })
    await when(live, (state) => state.queue.length === 0)
  })

  test("[QUE-10] send now starts that message at once and the others after it", async () => {
    const { ids } = await busyWith("a", "b")
    expect(await live.sendNow(ids[1])).toMatchObject({ message: ids[1], outcome: "started" })
    await idle()
    expect(spoken(live.getState())).toEqual([
      "person: first",
      "agent (truncated): Busy",
      "person: b",
      "agent: ok",
      "person: a",
      "agent: ok",
    ])
  })

  test("[QUE-5] hold and resume, and a stop that names the shown turn and what becomes of the queue", async () => {
    const { busy } = await busyWith("a")
    expect(await live.hold()).toMatchObject({ held: { reason: "asked" }, queued: 1 })
    busy.open()
    await when(live, ({ status }) => status?.state === "idle" && status.held?.reason === "asked")
    expect(queuedTexts(live.getState())).toEqual(["a"])
    expect(await live.resume()).toMatchObject({ held: null })
    await idle()
    await busyWith("b")
    expect(await live.stop({ onQueue: "clear" })).toMatchObject({ state: "stopped" })
    await idle()
    await expect(conversation.stop()).rejects.toMatchObject({ code: "turn.none" })
  })
})

describe("an edit lease", () => {
  test("[QUE-8] is renewed while the handle lives, ends with it, and the message waits meanwhile", async () => {
    const other = room.client({ timing: { leaseRenewMs: 20 } }).conversation("host")
    const { busy, ids } = await busyWith("a")
    const lease = await other.lease(ids[0], { holder: "tab-1" })
    expect(lease.row).toMatchObject({ id: ids[0], version: 1, lease: { holder: "tab-1" } })
    await when(live, ({ queue }) => (queue[0]?.lease?.until ?? 0) > (lease.row.lease?.until ?? 0))
    busy.open()
    await when(live, ({ status }) => status?.turn === null)
    expect(queuedTexts(live.getState())).toEqual(["a"])
    await lease.release()
    expect(await lease.ended).toBeUndefined()
    await idle()
    expect(spoken(live.getState())).toContain("person: a")
  })

  test("[QUE-8] a saved edit ends it; the edit of someone else meanwhile is not overwritten", async () => {
    const { ids } = await busyWith("a")
    const lease = await live.lease(ids[0])
    expect(await lease.save({ text: "b" })).toMatchObject({ payload: { source: "b" }, version: 2, lease: null })
    const second = await live.lease(ids[0])
    await conversation.edit(ids[0], { text: "c", version: 2 })
    await expect(second.save({ text: "d" })).rejects.toMatchObject({ code: "message.changed" })
  })

  test("[QUE-8] that the message was moved meanwhile does not refuse the edit", async () => {
    const { ids } = await busyWith("a", "b")
    const lease = await live.lease(ids[1])
    await conversation.edit(ids[1], { before: ids[0], version: 1 })
    await lease.save({ text: "c" })
    await when(live, (state) => queuedTexts(state).join() === "c,a")
  })

  test("[QUE-9] tells its holder when the message went", async () => {
    const other = room.client({ timing: { leaseRenewMs: 20 } }).conversation("host")
    const { ids } = await busyWith("a")
    const lease = await other.lease(ids[0])
    await conversation.remove(ids[0])
    expect(await lease.ended).toMatchObject({ code: "message.not-queued" })
    await lease.release()
  })
})

describe("steering", () => {
  test("[TRN-9] reaches the running turn; with nothing running the answer says so", async () => {
    const { busy } = await busyWith()
    room.script(says("Changed course."))
    expect(await live.send("The other way", { mode: "steer" })).toMatchObject({ outcome: "steering" })
    await when(live, (state) => state.queue[0]?.mode === "steer")
    busy.open()
    await idle()
    expect(spoken(live.getState()).at(-1)).toBe("agent: Changed course.")
    const alone = await live.send("alone", { mode: "steer" })
    expect(alone).toMatchObject({ outcome: "started", note: { code: "steer.nothing-running" } })
  })
})

describe("asks", () => {
  test("[TRN-12] are shown while open; the first answer wins and the next learns which it was", async () => {
    room.script(calls("ask_person", { question: "Red?", options: ["red", "blue"] }), says("Red it is."))
    await live.send("Choose")
    await when(live, (state) => state.asks.length === 1)
    const [ask] = live.getState().asks
    const id = ask?.id ?? ""
    expect(ask).toMatchObject({ kind: "question", title: "Red?", options: ["red", "blue"], state: "open" })
    expect(live.getState().status?.state).toBe("waiting")
    await expect(live.answer(id, "green")).rejects.toMatchObject({ code: "ask.invalid", pointer: "/answer" })
    expect(await live.answer(id, "red")).toMatchObject({ state: "answered", answer: "red" })
    await expect(conversation.answer(id, "blue")).rejects.toMatchObject({
      code: "ask.closed",
      detail: expect.stringContaining("red"),
    })
    await idle()
    expect(live.getState().asks).toEqual([])
  })

  test("[TRN-13] an approval is answered with true or false, and is there for whoever opens later", async () => {
    room.script(calls("pay", { to: "bo" }), says("Paid."))
    await live.send("Pay bo")
    await when(live, (state) => state.asks.length === 1)
    const { asks } = await conversation.open()
    expect(asks).toMatchObject([{ kind: "approval", state: "open" }])
    await conversation.answer(asks[0]?.id ?? "", true)
    await idle()
    expect(spoken(live.getState()).at(-1)).toBe("agent: Paid.")
    expect((await conversation.open()).asks).toEqual([])
  })

  test("[API-22] the open one is answered without its id", async () => {
    await expect(conversation.answerOpen(true)).rejects.toMatchObject({ code: "ask.none" })
    room.script(calls("pay", { to: "bo" }), says("Paid."))
    await live.send("Pay bo")
    await when(live, (state) => state.asks.length === 1)
    expect(await live.answerOpen(true)).toMatchObject({ kind: "approval", state: "answered", answer: true })
    await idle()
    await expect(live.answerOpen(true)).rejects.toMatchObject({ code: "ask.none" })
  })
})
