import { EventEmitter } from "node:events"
import type { ServerResponse } from "node:http"
import { FakeClock } from "@parlor/core/testing"
import { Fault, limits, Refusal } from "@parlor/protocol"
import { expect, test } from "vitest"
import { Slots } from "./slots.ts"

const BOUNDS = { perPerson: 2, perKey: 3, all: 4, waitingPerSlot: 1 }
const ana = { person: "ana", key: null }
const bo = { person: "bo", key: null }
const keyed = (person: string, id: string) => ({ person, key: { id, hash: id } })

test("[SEC-12] past a person's limit their requests wait in order of arrival; other people's do not", async () => {
  const slots = new Slots(new FakeClock(), BOUNDS)
  const begun: string[] = []
  const enter = (name: string, who = ana) =>
    slots.enter(who, response()).then((leave) => {
      begun.push(name)
      return leave
    })
  const first = await enter("first")
  const second = await enter("second")
  const third = enter("third")
  const fourth = enter("fourth")
  await enter("bo's", bo)
  expect(begun).toEqual(["first", "second", "bo's"])
  first()
  first()
  await third
  expect(begun).toEqual(["first", "second", "bo's", "third"])
  second()
  await fourth
  expect(begun.at(-1)).toBe("fourth")
})

test("[SEC-12] one too many waiting is refused with 429 and retry-after, and so is one that waits too long", async () => {
  const clock = new FakeClock()
  const slots = new Slots(clock, BOUNDS)
  for (let n = 0; n < 2; n++) await slots.enter(ana, response())
  const waiting = [0, 1].map(() => slots.enter(ana, response()).catch((error: unknown) => error))
  const refused: unknown = await slots.enter(ana, response()).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused).toMatchObject({ code: "rate.exceeded", retryAfterMs: limits.heavyRetryMs })
  await clock.advance(limits.heavyWaitMs)
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: "rate.exceeded" })
})

test("[SEC-12] a key that acts for many has its own limit, and a full server reports busy", async () => {
  const clock = new FakeClock()
  const slots = new Slots(clock, BOUNDS)
  for (const person of ["p1", "p2", "p3"]) await slots.enter(keyed(person, "bot"), response())
  const fourth = slots.enter(keyed("p4", "bot"), response()).catch((error: unknown) => error)
  await slots.enter(ana, response())
  const fifth = slots.enter(bo, response()).catch((error: unknown) => error)
  await clock.advance(limits.heavyWaitMs)
  expect(await fourth).toMatchObject({ code: "rate.exceeded" })
  const error = await fifth
  expect(error).toBeInstanceOf(Fault)
  expect(error).toMatchObject({ code: "server.busy" })
})

test("[SEC-12] a place is released when the response closes, and a client that leaves while waiting takes none", async () => {
  const slots = new Slots(new FakeClock(), BOUNDS)
  const outs = [response(), response()]
  for (const out of outs) await slots.enter(ana, out)
  const gone = response()
  const leaver = slots.enter(ana, gone).catch((error: unknown) => error)
  const next = slots.enter(ana, response())
  gone.emit("close")
  expect(await leaver).toBeInstanceOf(Refusal)
  outs[0]?.emit("close")
  await next
  const another = slots.enter(ana, response())
  outs[1]?.emit("close")
  await another
})

function response(): ServerResponse {
  return Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse
}
