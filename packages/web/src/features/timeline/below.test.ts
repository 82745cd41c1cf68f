import type { LiveState, PendingSend } from "@parlor/client"
import type { MessageId, MessageRow, StatusRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { belowMessages } from "./below.ts"

const message = (change: Partial<MessageRow> = {}) =>
  ({
    id: "m" as MessageId,
    role: "agent",
    author: "",
    state: "done",
    parts: [{ type: "text", text: "x" }],
    turn: null,
    ...change,
  }) as MessageRow
const live = (status: Partial<StatusRow>, messages: readonly MessageRow[] = [message({ role: "person" })]) =>
  ({
    connection: "live",
    status: { turn: null, busyWith: null, ...status },
    messages,
    turns: [],
  }) as unknown as LiveState
const send = { key: "k", text: "hi" } as PendingSend
const kinds = (state: LiveState | undefined, spoken: readonly PendingSend[] = [], hasAsks = false) =>
  belowMessages({ state, spoken, hasAsks }).map(({ kind }) => kind)

describe("what stands below the messages", () => {
  it("asks, retries and problems, by what goes on", () => {
    expect(kinds(undefined)).toEqual([])
    expect(kinds(live({ state: "idle" }), [], true)).toEqual(["asks"])
    expect(kinds(live({ state: "retrying" }))).toEqual(["retry"])
    expect(kinds(live({ state: "error" }))).toEqual(["problem"])
  })

  it("what is on its way, and that an answer comes", () => {
    expect(kinds(live({ state: "idle" }), [send])).toEqual(["send", "thinking"])
    expect(kinds(live({ state: "busy" }))).toEqual(["thinking"])
    expect(kinds({ ...live({ state: "busy" }), connection: "offline" }, [send])).toEqual(["send"])
  })

  it("nobody is said to think while they speak, or while something is put back", () => {
    expect(kinds(live({ state: "busy" }, [message({ state: "streaming" })]))).toEqual([])
    expect(kinds(live({ state: "busy", busyWith: "rollback" }))).toEqual([])
    expect(kinds(live({ state: "busy" }, [message()]))).toEqual(["thinking"])
  })

  it("[GST-5] who thinks is named when somebody else spoke last", () => {
    const named = (messages: readonly MessageRow[]) =>
      belowMessages({ state: live({ state: "busy" }, messages), spoken: [], hasAsks: false })
    expect(named([message()])).toMatchObject([{ kind: "thinking", named: false }])
    expect(named([message({ author: "critic" })])).toMatchObject([{ kind: "thinking", named: true }])
  })

  it("[TAB-12] each has a key of its own, in the order they stand in", () => {
    const keys = belowMessages({
      state: live({ state: "retrying" }),
      spoken: [send, { ...send, key: "l" }],
      hasAsks: true,
    }).map(({ key }) => key)
    expect(keys).toEqual(["asks", "retry", "send k", "send l", "thinking"])
  })

  it("nobody is said to think over an answer that is empty still, or before anything was said", () => {
    const blank = message({ parts: [{ type: "text", text: " \n" }] })
    expect(kinds(live({ state: "busy" }, [blank]))).toEqual([])
    expect(kinds(live({ state: "busy" }, []))).toEqual([])
    expect(kinds(live({ state: "waiting" }))).toEqual([])
  })

  it("[TAB-9] behind words on their way an answer has a name again, whoever spoke last", () => {
    const [, thinking] = belowMessages({ state: live({ state: "idle" }, [message()]), spoken: [send], hasAsks: false })
    expect(thinking).toEqual({ kind: "thinking", key: "thinking", author: "", named: true })
  })
})
