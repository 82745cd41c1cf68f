import { limits, type QueueRow, STATUS_KEY, type StatusRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import {
  checkPosition,
  checkRoom,
  head,
  lastPosition,
  positionBeside,
  queuing,
  removal,
  steering,
  steerPosition,
} from "./queue.ts"

const waiting = (id: string, fields: object = {}): QueueRow =>
  ({
    id,
    mode: "queued",
    position: "a0",
    guests: [],
    lease: null,
    trigger: null,
    queuedAt: 5,
    ...fields,
  }) as unknown as QueueRow
const leased = (until: number) => ({ lease: { holder: "tab", until } })
const abc = [waiting("a", { position: "a1" }), waiting("b", { position: "a2" }), waiting("c", { position: "a3" })]
const refusal = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe("the queue", () => {
  it("[QUE-12] the first message that is not paused is next", () => {
    expect(head([waiting("a", { mode: "paused" }), waiting("b"), waiting("c")])?.id).toBe("b")
    expect(head([waiting("a", { mode: "paused" })])).toBeUndefined()
  })

  it("[TRN-9, QUE-8] what steers joins in order, unless it is being edited or is for guests", () => {
    const steers = { mode: "steer" }
    const queue = [
      waiting("a", steers),
      waiting("b", { ...steers, ...leased(10) }),
      waiting("c", { ...steers, guests: ["critic"] }),
      waiting("d"),
      waiting("e", steers),
    ]
    expect(steering(queue, 9).map(({ id }) => id)).toEqual(["a", "e"])
    expect(steering(queue, 10).map(({ id }) => id)).toEqual(["a", "b", "e"])
  })

  it("[LOG-14] a message that joins moves its conversation up in the list, never down", () => {
    const row = waiting("a", { queuedAt: 5 })
    const activity = (activityAt: number) => queuing({ status: { activityAt, title: "T" } as StatusRow }, row)
    expect(activity(3)).toEqual([
      { collection: "queue", key: "a", operation: "insert", row },
      { collection: "status", key: STATUS_KEY, operation: "update", row: { activityAt: 5, title: "T" } },
    ])
    expect(activity(8)[1]).toMatchObject({ row: { activityAt: 8 } })
  })

  it("[QUE-18] what leaves says which one it was, and not what it said", () => {
    const trigger = { kind: "webhook", headers: { a: "b" }, subject: "s" }
    const left = removal(waiting("a", { payload: { source: "secret" }, attachments: [1], trigger }))
    expect(left).toMatchObject({ collection: "queue", key: "a", operation: "delete" })
    expect(left.row).toMatchObject({
      payload: null,
      attachments: [],
      trigger: { kind: "webhook", headers: null, subject: null },
    })
    expect(removal(waiting("b")).row).toMatchObject({ id: "b", trigger: null })
  })
})

describe("positions", () => {
  it("[QUE-3] last comes after all", () => {
    expect(() => checkPosition(lastPosition(undefined))).not.toThrow()
    expect(lastPosition(abc[2]) > "a3").toBe(true)
  })

  it("[TRN-9, QUE-3] what steers goes behind what steers already and before everything else", () => {
    const steers = [waiting("s", { mode: "steer", position: "a1" }), waiting("t", { mode: "steer", position: "a2" })]
    const mixed = steerPosition([...steers, waiting("q", { position: "a3" })])
    expect(mixed > "a2" && mixed < "a3").toBe(true)
    expect(steerPosition(steers) > "a2").toBe(true)
    expect(steerPosition(abc) < "a1").toBe(true)
  })

  it("[QUE-3] a message moves directly before or after another one, itself not counted", () => {
    const between = (position: string, low: string, high: string) => position > low && position < high
    expect(between(positionBeside(abc, "c", { before: "b" }), "a1", "a2")).toBe(true)
    expect(between(positionBeside(abc, "a", { after: "b" }), "a2", "a3")).toBe(true)
    expect(positionBeside(abc, "c", { before: "a" }) < "a1").toBe(true)
    expect(positionBeside(abc, "a", { after: "c" }) > "a3").toBe(true)
    expect(positionBeside(abc, "b", { before: "c" }) > "a1").toBe(true)
    expect(positionBeside(abc, "b", { after: "a" }) < "a3").toBe(true)
  })

  it("[QUE-3] a message that is not waiting here is no place, and neither is the moved one itself", () => {
    const invalid = (pointer: string) => ({ code: "position.invalid", pointer })
    expect(refusal(() => positionBeside(abc, "a", { before: "x" }))).toMatchObject(invalid("/before"))
    expect(refusal(() => positionBeside(abc, "a", { after: "x" }))).toMatchObject(invalid("/after"))
    expect(refusal(() => positionBeside(abc, "a", { before: "a" }))).toMatchObject(invalid("/before"))
  })

  it("[QUE-3] two messages that share a position leave no room between: after the first will do", () => {
    const same = [waiting("a", { position: "a1" }), waiting("b", { position: "a1" }), waiting("c", { position: "a2" })]
    expect(positionBeside(same, "c", { before: "b" })).toBe("a1")
  })

  it("[QUE-3] a position may grow as long as the limit and no longer", () => {
    // Each move before the same message makes the position longer, one character at a time.
    let low = "a0"
    const narrow = () =>
      positionBeside([waiting("l", { position: low }), waiting("h", { position: "a1" })], "x", { before: "h" })
    let longest = 0
    const refused = (): boolean => {
      for (let moves = 0; moves < 100_000; moves++) {
        const next = refusal(narrow)
        if (typeof next !== "string") return (next as { code: string }).code === "position.invalid"
        longest = Math.max(longest, next.length)
        low = next
      }
      return false
    }
    expect(refused()).toBe(true)
    expect(longest).toBe(limits.positionLength)
  })

  it("[QUE-3] only a fractional key is a position", () => {
    expect(() => checkPosition("a0V")).not.toThrow()
    expect(refusal(() => checkPosition("!"))).toMatchObject({ code: "position.invalid", pointer: "/position" })
  })

  it("[SEC-9] a full queue takes no more", () => {
    expect(() => checkRoom(1, 2)).not.toThrow()
    expect(refusal(() => checkRoom(2, 2))).toMatchObject({ code: "queue.full" })
  })
})
