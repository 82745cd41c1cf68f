import { gate } from "@parlor/core/testing"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { LiveConversation, OutboxStorage } from "../src/index.ts"
import { holds, openRoom, type Room, spoken, when } from "./room.ts"
import { memoryStorage } from "./storage.ts"

let room: Room
const open: LiveConversation[] = []
beforeEach(async () => {
  room = await openRoom()
})
afterEach(async () => {
  for (const live of open.splice(0)) live.close()
  await room.close()
})

/** Sends reach the server, but their responses are lost. */
function deafTo(isSend: (body: string) => boolean): { readonly fetch: typeof fetch; readonly lost: Promise<void> } {
  let onLost = () => {}
  const lost = new Promise<void>((resolve) => {
    onLost = resolve
  })
  const deaf: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (init?.method !== "POST" || !isSend(String(init.body))) return response
    onLost()
    return new Promise(() => {})
  }
  return { fetch: deaf, lost }
}

/** A page that sent `text`, got no response and was closed. */
async function leave(text: string, storage: OutboxStorage): Promise<void> {
  const { fetch, lost } = deafTo(() => true)
  const page = room.client({ fetch }).conversation("host").live({ storage })
  void page.send(text)
  await lost
  page.close()
  expect(storage.length).toBe(1)
}

/** The next page, which at first gets no responses to sends. */
function reload(storage: OutboxStorage, fetch: typeof globalThis.fetch = globalThis.fetch): LiveConversation {
  const live = room.client({ fetch }).conversation("host").live({ storage })
  open.push(live)
  return live
}

test("[QUE-11] a send that was accepted but not answered is shown once after a reload, before and after the answer", async () => {
  const storage = memoryStorage()
  await leave("hello", storage)
  const waiting = reload(storage, deafTo(() => true).fetch)
  await when(waiting, (state) => state.phase === "ready" && state.messages.length > 0)
  expect(spoken(waiting.getState())).toContain("person: hello")
  expect(waiting.getState().sending).toEqual([])
  waiting.close()
  const seen: number[] = []
  const live = reload(storage)
  live.subscribe(() => {
    const { messages, sending, phase } = live.getState()
    const rows = messages.filter((row) => row.role === "person").length
    if (phase === "ready") seen.push(rows + sending.length)
  })
  await when(live, (state) => state.status?.state === "idle" && state.messages.length === 2)
  await expect.poll(() => storage.length).toBe(0)
  expect(new Set(seen)).toEqual(new Set([1]))
  expect(live.getState().sending).toEqual([])
})

test("[QUE-1] the same for one that was queued", async () => {
  const storage = memoryStorage()
  room.script(holds("Busy", gate()))
  await room.parlor.conversation("host").send("first")
  await leave("second", storage)
  const live = reload(storage, deafTo(() => true).fetch)
  await when(live, (state) => state.phase === "ready")
  expect(live.getState().queue).toHaveLength(1)
  expect(live.getState().sending).toEqual([])
})

test("an older message with the same text does not hide one that is on its way", async () => {
  const storage = memoryStorage()
  const conversation = room.parlor.conversation("host")
  await room.parlor.importLines("host", "main", '{"role":"person","text":"ok"}\n{"role":"agent","text":"yes"}')
  const { messages } = await conversation.open()
  const at = (messages[0]?.at ?? 0) + 3_600_000
  const scope = JSON.stringify([room.baseUrl, "", "host", "main"])
  storage.setItem(`parlor.outbox ${scope} k1`, JSON.stringify({ key: "k1", body: { text: "ok" }, at }))
  const live = reload(storage, deafTo(() => true).fetch)
  await when(live, (state) => state.phase === "ready")
  expect(live.getState().sending).toMatchObject([{ key: "k1", text: "ok" }])
})

test("a queued message that starts is not taken for another with the same text", async () => {
  const busy = gate()
  room.script(holds("Busy", busy), holds("Still", gate()))
  const setUp = room.parlor.conversation("host")
  await setUp.send("first")
  await setUp.send("ok")
  const mute: typeof fetch = (input, init) =>
    init?.method === "POST" ? new Promise(() => {}) : globalThis.fetch(input, init)
  const live = reload(memoryStorage(), mute)
  await when(live, (state) => state.queue.length === 1)
  void live.send("ok")
  busy.open()
  await when(live, (state) => state.queue.length === 0 && spoken(state).at(-1) === "agent (streaming): Still")
  expect(live.getState().sending).toMatchObject([{ text: "ok" }])
})
