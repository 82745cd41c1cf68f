import { expect, it } from "vitest"
import { FakeClock } from "../testing/fake-clock.ts"
import { Alarm } from "./alarm.ts"

function alarmed(next: (now: number) => number | undefined = () => undefined) {
  const clock = new FakeClock(0)
  const rung: number[] = []
  const alarm: Alarm = new Alarm({
    clock,
    ring: async () => {
      rung.push(clock.now())
      return next(clock.now())
    },
  })
  alarm.start()
  return { clock, rung, alarm }
}

it("[TRG-3] rings at the earliest time it was given, and then at the next one", async () => {
  const { clock, rung, alarm } = alarmed((now) => (now < 300 ? now + 100 : undefined))
  alarm.at(500)
  alarm.at(100)
  alarm.at(400)
  await clock.advance(1_000)
  expect(rung).toEqual([100, 200, 300])
})

it("[TRG-3] a time further off than a timer can wait is reached in several timers", async () => {
  const far = 60 * 24 * 60 * 60_000
  const { clock, rung, alarm } = alarmed((now) => (now < far ? far : undefined))
  alarm.at(far)
  await clock.advance(far)
  expect(rung).toEqual([2 ** 31 - 1, 2 * (2 ** 31 - 1), far])
})

it("[TRG-3] what becomes due while it rings is not missed; once stopped it is silent", async () => {
  const clock = new FakeClock(0)
  const opened: (() => void)[] = []
  const alarm = new Alarm({ clock, ring: () => new Promise((resolve) => opened.push(() => resolve(undefined))) })
  alarm.at(1)
  alarm.start()
  alarm.at(5)
  await clock.advance(10)
  expect(opened).toHaveLength(1)
  alarm.at(7)
  alarm.at(8)
  opened[0]?.()
  await clock.advance(1)
  expect(opened).toHaveLength(2)
  const stopped = alarm.stop()
  opened[1]?.()
  await stopped
  alarm.at(20)
  await alarm.ring()
  await clock.advance(100)
  expect(opened).toHaveLength(2)
  expect(clock.waiting).toBe(0)
})
