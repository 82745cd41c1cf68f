import type { StatusRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { inWords } from "./inWords.ts"
import { noteOf, problemWords, refusesToken } from "./problemWords.ts"
import { type Shown, statusWords } from "./statusWords.ts"

const idle = { state: "idle", busyWith: null, held: null, attempt: null, retryAt: null, error: null } as const
const shown: Shown = { status: idle, connection: "live", queued: 0 }
const words = (change: Partial<Shown>) => statusWords("host", { ...shown, ...change })

describe("status words", () => {
  it("[TAB-13] a lost connection shows itself, whatever the conversation was doing", () => {
    expect(words({ connection: "offline" })).toEqual({ tone: "warn", text: "Connection lost. Reconnecting…" })
    expect(words({ connection: "connecting", status: { ...idle, state: "busy" } }).text).toBe("Connecting…")
    expect(words({ status: null, connection: "connecting" }).text).toBe("Connecting…")
  })

  it("[TRN-2] each state has its words", () => {
    expect(words({})).toEqual({ tone: "calm", text: "Ready" })
    expect(words({ status: { ...idle, state: "busy", busyWith: "turn" } })).toEqual({
      tone: "busy",
      text: "host is replying…",
    })
    expect(words({ status: { ...idle, state: "busy", busyWith: "compaction" } }).text).toContain(
      "Summarizing older messages",
    )
    expect(words({ status: { ...idle, state: "waiting" } }).text).toBe("host needs your answer")
    const asks = [{ kind: "approval" }] as const
    expect(words({ status: { ...idle, state: "waiting" }, asks }).text).toBe("host needs your approval")
    const failed = { ...idle, state: "error", error: { code: "model.failed", detail: "529" } } as const
    expect(words({ status: failed })).toEqual({ tone: "bad", text: "The model couldn't answer" })
  })

  it("[TRN-10] retrying tells the attempt and counts down to it", () => {
    const retrying = { ...idle, state: "retrying", attempt: 2, retryAt: 5_000 } as const
    expect(words({ status: retrying })).toEqual({ tone: "warn", text: "Retrying, attempt 2", until: 5_000 })
    expect([4_001, 99_000, 600_000, 0, -5].map(inWords)).toEqual(["in 5 s", "in 99 s", "in 10 min", "now", "now"])
  })

  it("[QUE-20] a failed message that is tried again counts down to it, unless the queue is paused", () => {
    const error = { code: "model.failed", detail: "529" }
    const again = { at: 5_000 } as StatusRow["again"]
    const failed = { ...idle, state: "error", error, again, held: { reason: "error", since: 0, until: 5_000 } } as const
    const text = "The model couldn't answer. Trying again"
    expect(words({ status: failed })).toEqual({ tone: "bad", text, until: 5_000 })
    const paused = { ...failed, held: { reason: "asked", since: 0 } } as const
    expect(words({ status: paused })).toEqual({ tone: "bad", text: "The model couldn't answer" })
  })

  it("[QUE-5] a held queue is told with its reason, when something is held", () => {
    const stopped = { ...idle, held: { reason: "stopped", since: 0 } } as const
    expect(words({ status: stopped, queued: 2 }).text).toBe("Stopped. Queue paused")
    expect(words({ status: stopped }).text).toBe("Stopped")
    const error = { ...idle, held: { reason: "error", since: 0 } } as const
    expect(words({ status: error, queued: 1 }).tone).toBe("warn")
  })

  it("a conversation that cannot be shown says why instead of promising to reconnect", () => {
    const failure = { code: "agent.unknown", detail: "There is no agent crab." }
    expect(words({ connection: "offline", failure })).toEqual({ tone: "bad", text: "Agent not found" })
  })

  it("[SEC-2] a refused token is told apart from every other failure", () => {
    expect(refusesToken({ code: "auth.invalid" })).toBe(true)
    expect(refusesToken({ code: "auth.forbidden" })).toBe(false)
    expect(refusesToken({ code: "auth.unavailable" })).toBe(false)
    expect(refusesToken({ code: "network" })).toBe(false)
    expect(refusesToken(null)).toBe(false)
  })

  it("anything thrown becomes words", () => {
    expect(problemWords(noteOf(new Error("boom")))).toEqual({ title: "Something went wrong", detail: "boom" })
    expect(problemWords(null).title).toBe("The last turn failed")
    const late = problemWords({ code: "message.not-queued", detail: "The message msg_1 has started." })
    expect(late.title).toBe("This message is no longer queued")
    expect(late.detail).not.toContain("msg_1")
    expect(problemWords({ code: "model.failed", detail: "It said 401." }).detail).toContain("Try again")
    expect(problemWords({ code: "queue.full", detail: "It holds 100." }).detail).toContain("It holds 100.")
  })
})
