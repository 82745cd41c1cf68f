import { describe, expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { busyModesIn } from "./busyMode.ts"
import { actName, type Outlook, otherKey, otherWords, outlookOf, planOf, sendWords } from "./sendWords.ts"

const idle = { state: "idle", held: null, turn: null } as const
const busy = { ...idle, state: "busy", turn: "trn_1" as never } as const
const stopped = { ...idle, held: { reason: "stopped", since: 0 } } as const
const line = [{ mode: "queued" }] as const
const words = (outlook: Outlook, isEmpty: boolean, chosen: "queue" | "steer" = "queue") =>
  sendWords("host", outlook, planOf(outlook, chosen), isEmpty)

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
    expect(words(outlookOf(stopped, line), false)).toContain("resume the queue")
  })

  it("[TAB-9] Enter does what was chosen, the other key the other; where there is no choice there is no other", () => {
    expect(planOf(outlookOf(busy, []), "queue")).toEqual({ enter: "queue", other: "steer" })
    expect(planOf(outlookOf(busy, []), "steer")).toEqual({ enter: "steer", other: "queue" })
    expect(planOf(outlookOf(idle, []), "steer")).toEqual({ enter: "send", other: undefined })
    expect(planOf(outlookOf(idle, line), "steer")).toEqual({ enter: "queue", other: undefined })
    expect((["send", "queue", "steer"] as const).map(actName)).toEqual(["Send", "Queue", "Add to current reply"])
  })

  it("[TAB-9] says so in words, with the key of this keyboard", () => {
    expect(words(outlookOf(busy, []), true)).toBe("host is replying: your message will be queued")
    expect(words(outlookOf(busy, []), false)).toContain("Enter to queue this")
    expect(words(outlookOf(busy, []), true, "steer")).toBe("host is replying: your message will be added to the reply")
    expect(words(outlookOf(busy, []), false, "steer")).toBe("Enter to add this to the current reply")
    expect(words(outlookOf({ ...busy, state: "waiting" }, []), true)).toContain("is waiting for your answer")
    expect(otherWords(planOf(outlookOf(busy, []), "queue"))).toBe("to add it to the current reply")
    expect(otherWords(planOf(outlookOf(busy, []), "steer"))).toBe("to queue it")
    expect(otherWords(planOf(outlookOf(idle, []), "steer"))).toBeUndefined()
    expect([otherKey("MacIntel"), otherKey("Linux x86_64")]).toEqual(["⌘ Enter", "Ctrl+Enter"])
  })

  it("[TAB-9] what was chosen is remembered for that conversation, and only what differs is kept", () => {
    const items = new Map<string, string>()
    const modes = busyModesIn(
      keepIn(() => ({
        getItem: (key) => items.get(key) ?? null,
        setItem: (key, value) => void items.set(key, value),
        removeItem: (key) => void items.delete(key),
      })),
    )
    modes.write("host/main", "steer")
    expect([modes.read("host/main"), modes.read("critic/main")]).toEqual(["steer", "queue"])
    modes.write("host/main", "queue")
    expect([modes.read("host/main"), items.size]).toEqual(["queue", 0])
  })
})
