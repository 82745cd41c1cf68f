import { describe, expect, it } from "vitest"
import { outlookOf, sendWords, steerKey } from "./sendWords.ts"

const idle = { state: "idle", held: null, turn: null } as const
const busy = { ...idle, state: "busy", turn: "trn_1" as never } as const
const stopped = { ...idle, held: { reason: "stopped", since: 0 } } as const
const line = [{ mode: "queued" }] as const

describe("what sending will do", () => {
  it("[TAB-9] busy: it queues, and may join the answer while a turn runs", () => {
    expect(outlookOf(busy, [])).toEqual({ kind: "queue", why: "writing", canSteer: true })
    expect(outlookOf({ ...busy, state: "retrying" }, []).kind).toBe("queue")
    expect(outlookOf({ ...busy, turn: null }, [])).toEqual({ kind: "queue", why: "writing", canSteer: false })
    expect(outlookOf({ ...busy, state: "waiting" }, [])).toEqual({ kind: "queue", why: "asked", canSteer: true })
  })

  it("[TAB-9, QUE-3] idle: it starts, unless others wait to start before it", () => {
    expect(outlookOf(idle, [])).toEqual({ kind: "start", releases: false })
    expect(outlookOf(idle, [{ mode: "paused" }])).toEqual({ kind: "start", releases: false })
    expect(outlookOf(idle, line)).toEqual({ kind: "queue", why: "line", canSteer: false })
    expect(outlookOf(null, [])).toEqual({ kind: "start", releases: false })
  })

  it("[QUE-5] held: it starts, and lets the queue go on", () => {
    expect(outlookOf(stopped, line)).toEqual({ kind: "start", releases: true })
    expect(sendWords("host", outlookOf(stopped, line), false)).toContain("the queue goes on after it")
  })

  it("[TAB-9] says so in words, with the key of this keyboard", () => {
    expect(sendWords("host", outlookOf(busy, []), true)).toBe("host is busy: what you send will queue")
    expect(sendWords("host", outlookOf(busy, []), false)).toContain("Enter queues this")
    expect(sendWords("host", outlookOf({ ...busy, state: "waiting" }, []), true)).toContain("waits for your answer")
    expect([steerKey("MacIntel"), steerKey("Linux x86_64")]).toEqual(["⌘ Enter", "Ctrl+Enter"])
  })
})
