import type { Again, MessageId, StatusRow, TurnId } from "@parlor/protocol"
import { queuedWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { nextUp } from "./next-up.ts"

const hook = { source: "webhook", firedAt: 0, scheduleId: null, deliveryId: "d", headers: null, subject: null } as const
const own = queuedWith("a-own")
const fired = queuedWith("b-fired", { trigger: hook })
const again: Again = {
  message: "msg_1" as MessageId,
  turn: "trn_1" as TurnId,
  guests: [],
  unattended: true,
  tries: 1,
  at: 100,
}
const error = { reason: "error", since: 0 } as const

const at = (now: number, held: StatusRow["held"], retry: Again | null = null, queue = [own, fired]) => {
  const next = nextUp({ held, again: retry }, queue, (time) => time <= now)
  if (next === undefined) return "nothing"
  if (next.kind === "message") return next.row.id
  return next.kind === "wait" ? next.until : "retry"
}

describe("what comes next", () => {
  it("[QUE-3] the first message, unless a person has to resume the queue", () => {
    expect(at(0, null)).toBe("a-own")
    expect(at(500, error)).toBe("nothing")
    expect(at(500, { reason: "asked", since: 0 }, again)).toBe("nothing")
  })

  it("[QUE-20] a held queue waits for its time, the retry comes first", () => {
    const held = { ...error, until: 100 }
    expect(at(99, held, again)).toBe(100)
    expect(at(100, held, again)).toBe("retry")
    expect(at(99, held)).toBe(100)
    expect(at(100, held)).toBe("a-own")
    expect(at(99, held, null, [])).toBe("nothing")
  })

  it("[QUE-21] people's messages stay held, those of triggers pass them", () => {
    const held = { ...error, until: 100, only: "triggers" } as const
    expect(at(99, held)).toBe(100)
    expect(at(100, held)).toBe("b-fired")
    expect(at(100, held, null, [own])).toBe("nothing")
  })

  it("[QUE-22] without a hold the queue goes on while a retry is pending", () => {
    expect(at(99, null, again)).toBe("a-own")
    expect(at(99, null, again, [])).toBe(100)
    expect(at(100, null, again)).toBe("retry")
    expect(at(150, { ...error, until: 200, only: "triggers" }, again, [])).toBe(200)
  })
})
