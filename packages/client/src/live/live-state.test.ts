/** What a live conversation shows and does, over a source that the test writes. */
import type { AskRow, BranchRow, SlashCommandRow, Snapshot } from "@parlor/protocol"
import { askWith, queuedWith, rollbackWith, statusWith } from "@parlor/protocol/testing"
import { expect, test, vi } from "vitest"
import { Log, said, snapshotOf } from "../../test/rows.ts"
import { Following, type News } from "../follow.ts"
import type { Http } from "../http.ts"
import { defaultTiming } from "../timing.ts"
import { LiveConversation, type LiveSource } from "./conversation.ts"

function stage(snapshot: Snapshot) {
  const called: unknown[][] = []
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      called.push([name, ...args])
      return new Promise<never>(() => undefined)
    }
  let tell = (_: News) => {}
  let older = () => {}
  let signal: AbortSignal | undefined
  async function* news(): AsyncGenerator<News> {
    for (;;)
      yield await new Promise<News>((resolve) => {
        tell = resolve
      })
  }
  const source = {
    agent: "host",
    branch: "main",
    open: async () => snapshot,
    follow: (options: { readonly offset?: string; readonly signal?: AbortSignal }) => {
      signal = options.signal
      return new Following(news(), options.offset ?? "")
    },
    messages: () =>
      new Promise((resolve) => {
        older = () => resolve({ messages: [said("old", -1, "old")], older: null, inherited: [] })
      }),
    send: note("send"),
    stop: note("stop"),
    edit: note("edit"),
  }
  const http = { baseUrl: "http://parlor.test", person: undefined, timing: defaultTiming } as unknown as Http
  const live = new LiveConversation(source as unknown as LiveSource, http, {})
  const ready = () => vi.waitFor(() => expect(live.getState().phase).toBe("ready"))
  const push = (...changes: readonly News["changes"][number][]) => tell({ changes, offset: "9", upToDate: true })
  return { live, called, ready, push, signal: () => signal, bringOlder: () => older() }
}

test("[LOG-8] it shows every collection of the snapshot, then of the changes", async () => {
  const snapshot = snapshotOf([said("a", 1, "hi")], 0, {
    status: statusWith({ title: "Bread" }),
    queue: [queuedWith("q1")],
    queued: 3,
    asks: [askWith()],
    slashCommands: [{ name: "one" } as SlashCommandRow],
    rollbacks: [rollbackWith("r1")],
    branches: [{ branch: "b1" } as BranchRow],
    older: "1",
  })
  const { live, ready, push } = stage(snapshot)
  expect(live.getState()).toMatchObject({
    title: "",
    status: null,
    unreadQueued: 0,
    older: null,
    isLoadingOlder: false,
  })
  await ready()
  const shown = live.getState()
  expect(shown).toMatchObject({
    title: "Bread",
    status: { title: "Bread" },
    queue: [{ id: "q1" }],
    unreadQueued: 2,
    asks: [{ id: "ask_1" }],
    slashCommands: [{ name: "one" }],
    rollbacks: [{ id: "r1" }],
    branches: [{ branch: "b1" }],
    older: "1",
    turns: [],
    changes: [],
  })
  const log = new Log()
  push(log.add("turns", "t1", { id: "t1" } as never), log.add("changes", "c1", { id: "c1" } as never))
  await vi.waitFor(() => expect(live.getState().turns).toHaveLength(1))
  expect(live.getState().changes).toHaveLength(1)
  expect(live.getState().asks).toBe(shown.asks)
  const now = live.getState()
  // Nothing that is shown changes with it.
  push(log.add("grants", "x", { id: "x" } as never))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(live.getState()).toBe(now)
})

test("[LOG-9] loading older messages is announced when it starts and when it ends", async () => {
  const { live, ready, bringOlder } = stage(snapshotOf([said("a", 1, "hi")], 0, { older: "1" }))
  await ready()
  const seen: boolean[] = []
  live.subscribe(() => void seen.push(live.getState().isLoadingOlder))
  const loading = live.loadOlder()
  await vi.waitFor(() => expect(seen).toEqual([true]))
  bringOlder()
  await loading
  await vi.waitFor(() => expect(seen).toEqual([true, false]))
  expect(live.getState().messages.map(({ id }) => id)).toEqual(["old", "a"])
})

test("[QUE-7] an edit carries the version that is shown, unless another is given", async () => {
  const { live, ready, called } = stage(snapshotOf([], 0, { queue: [queuedWith("q1", { version: 4 })], queued: 1 }))
  await ready()
  void live.edit("q1", { mode: "paused" })
  void live.edit("q1", { mode: "paused", version: 2 })
  void live.edit("unknown", { mode: "paused" })
  expect(called).toEqual([
    ["edit", "q1", { mode: "paused", version: 4 }],
    ["edit", "q1", { mode: "paused", version: 2 }],
    ["edit", "unknown", { mode: "paused", version: 1 }],
  ])
})

test("[TRN-4] a stop names no turn when none is shown", async () => {
  const { live, ready, called } = stage(snapshotOf([], 0))
  await ready()
  void live.stop({ onQueue: "hold" } as never)
  expect(called).toEqual([["stop", { onQueue: "hold" }]])
})

test("a send that waits can be canceled, a message with parts is sent as it is, and closing ends the stream", async () => {
  const { live, ready, called, signal } = stage(snapshotOf([], 0))
  await ready()
  const canceled = live.send("hello", { key: "k1" })
  await vi.waitFor(() => expect(called).toHaveLength(1))
  await vi.waitFor(() => expect(live.getState().sending).toMatchObject([{ key: "k1", text: "hello" }]))
  live.cancelSend("k1")
  await expect(canceled).rejects.toMatchObject({ code: "send.cancelled" })
  await vi.waitFor(() => expect(live.getState().sending).toEqual([]))
  const body = { type: "order", payload: { what: "tea" } }
  void live.send(body, { key: "k2" }).catch(() => undefined)
  await vi.waitFor(() => expect(live.getState().sending).toMatchObject([{ key: "k2", body, text: "order" }]))
  expect(signal()?.aborted).toBe(false)
  live.close()
  expect(signal()?.aborted).toBe(true)
})

test("[TRN-12] an ask that is answered is no longer shown", async () => {
  const { live, ready, push } = stage(snapshotOf([], 0, { asks: [askWith()] }))
  await ready()
  push(new Log().add("asks", "ask_1", askWith({ state: "answered" as AskRow["state"] }), "update"))
  await vi.waitFor(() => expect(live.getState().asks).toEqual([]))
})
