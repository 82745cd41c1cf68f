import { emptyUsage, type MessageId, type StatusRow, type TurnId, type TurnRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { afterError, defaultErrorHold, type Failed } from "./after-error.ts"

const turn: TurnRow = {
  id: "trn_1" as TurnId,
  message: "msg_1" as MessageId,
  agent: "host",
  guest: null,
  guestsNext: [],
  compaction: null,
  settings: null,
  state: "running",
  steps: 0,
  runs: [],
  usage: emptyUsage,
  startedAt: 0,
  endedAt: null,
  error: null,
  began: 0,
  step: null,
  unattended: true,
}
const { unattended: _, ...attended } = turn
const fine = { held: null, again: null, failures: 0 } as const
const after = (change: Partial<Failed> = {}) =>
  afterError({
    status: fine,
    turn,
    isPassing: true,
    retryAfterMs: undefined,
    onError: undefined,
    settings: defaultErrorHold,
    at: 5,
    storeTime: 1_000,
    random: 0.5,
    ...change,
  })
const error = { reason: "error", since: 5 } as const
const until = 1_000 + defaultErrorHold.baseMs

describe("after an error", () => {
  it("[QUE-20] a trigger's message is tried again, and the queue is held until then", () => {
    const again = { message: "msg_1", turn: "trn_1", guests: [], unattended: true, tries: 1, at: until }
    expect(after()).toEqual({ held: { ...error, until }, again, failures: 1 })
    expect(after({ turn: attended })).toEqual({ held: { ...error, until, only: "triggers" }, again: null, failures: 1 })
    expect(after({ turn: attended, onError: "retry" })).toMatchObject({
      held: { ...error, until },
      again: { unattended: false, at: until },
    })
    expect(after({ onError: "hold" })).toEqual({ held: error, again: null, failures: 1 })
    expect(after({ onError: "continue" })).toEqual({ held: null, again: null, failures: 1 })
  })

  it("[QUE-20] the delay doubles from 30 seconds to an hour, with jitter, and honors the provider's", () => {
    const delay = (failures: number, change: Partial<Failed> = {}) =>
      (after({ status: { ...fine, failures }, ...change }).again?.at ?? 0) - 1_000
    expect([0, 1, 2, 6, 7, 500].map((failures) => delay(failures) / 1_000)).toEqual([30, 60, 120, 1_920, 3_600, 3_600])
    expect([delay(0, { random: 0 }), delay(0, { random: 1 })]).toEqual([22_500, 37_500])
    expect([
      delay(0, { retryAfterMs: 600_000 }),
      delay(0, { retryAfterMs: 1 }),
      delay(0, { retryAfterMs: 1e9 }),
    ]).toEqual([600_000, 30_000, 3_600_000])
  })

  it("[TRN-23] it is given up after eight times, and at once if the fault cannot pass; the queue continues later", () => {
    let status: Pick<StatusRow, "held" | "again" | "failures"> = fine
    for (let tries = 1; tries <= defaultErrorHold.tries; tries++) {
      status = after({ status, turn: { ...turn, id: `trn_${tries}` as TurnId } })
      expect(status.again).toMatchObject({ turn: "trn_1", tries })
    }
    const last = after({ status })
    expect(last).toMatchObject({ again: null, failures: 9, held: { reason: "error" } })
    expect(last.held?.until).toBeGreaterThan(1_000)
    expect(after({ isPassing: false })).toEqual({ held: { ...error, until }, again: null, failures: 1 })
    expect(after({ turn: { ...turn, compaction: { keepTurns: 1 } } }).again).toBeNull()
  })

  it("[QUE-20] what a person stopped or paused stays held, and another message's retry stays pending", () => {
    const asked = { reason: "asked", since: 1 } as const
    expect(after({ status: { ...fine, held: asked } })).toMatchObject({ held: asked, again: { message: "msg_1" } })
    expect(after({ status: { ...fine, held: asked }, onError: "continue" }).held).toEqual(asked)
    const other = {
      message: "msg_0" as MessageId,
      turn: "trn_0" as TurnId,
      guests: [],
      unattended: true,
      tries: 2,
      at: 9,
    }
    for (const way of ["hold", "retry", "continue", undefined] as const)
      expect(after({ status: { ...fine, again: other }, onError: way }).again).toEqual(other)
  })

  it("[QUE-21] people's messages that were held stay held when a trigger's message fails", () => {
    const status = { ...fine, held: { ...error, until: 7, only: "triggers" } as const }
    expect(after({ status }).held).toEqual({ ...error, until, only: "triggers" })
  })

  it("[GST-6] whoever failed is tried again, then those after it", () => {
    expect(after({ turn: { ...turn, guest: "critic", guestsNext: ["host"] } }).again?.guests).toEqual([
      "critic",
      "host",
    ])
    expect(after({ turn: { ...turn, guestsNext: ["critic"] } }).again?.guests).toEqual(["host", "critic"])
  })
})
