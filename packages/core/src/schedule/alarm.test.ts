import { describe, expect, it } from "vitest"
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

describe("an alarm that rings", () => {
  /** Each ring ends when the test calls `end`. */
  function setUp(next: () => number | undefined = () => undefined) {
    const clock = new FakeClock()
    const ends: (() => void)[] = []
    const rung: number[] = []
    const ring = async () => {
      rung.push(clock.now())
      await new Promise<void>((resolve) => ends.push(resolve))
      return next()
    }
    const alarm = new Alarm({ clock, ring })
    const end = async () => {
      ends.shift()?.()
      await clock.advance(0)
    }
    /** Ends a ring without any timer. */
    const release = async () => {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
    return { clock, alarm, rung, end, release, start: clock.now() }
  }

  it("[TRG-3] does nothing before it is started and after it is stopped", async () => {
    const { clock, alarm, rung, start } = setUp()
    alarm.at(start)
    expect(clock.waiting).toBe(0)
    await alarm.ring()
    await clock.advance(10)
    expect(rung).toEqual([])
    alarm.start()
    alarm.at(start + 50)
    await alarm.stop()
    alarm.at(start + 60)
    expect(clock.waiting).toBe(0)
    await clock.advance(100)
    await alarm.ring()
    expect(rung).toEqual([])
  })

  it("[TRG-3] rings once more for what came due meanwhile, and only once", async () => {
    const { alarm, rung, end } = setUp()
    alarm.start()
    const ringing = alarm.ring()
    expect(alarm.ring()).toBe(ringing)
    await end()
    expect(rung).toHaveLength(2)
    await end()
    await ringing
    expect(rung).toHaveLength(2)
  })

  it("[TRG-3] a ring is not over before what came due meanwhile is done", async () => {
    const { alarm, rung, start, release } = setUp()
    alarm.start()
    void alarm.ring()
    alarm.at(start)
    await release()
    expect(rung).toHaveLength(2)
  })

  it("[TRG-3] the next time is kept if a timer fires while it rings, and again the next time", async () => {
    const { clock, alarm, rung, end, start } = setUp(() => start + 100 * Math.ceil(rung.length / 2))
    alarm.start()
    void alarm.ring()
    alarm.at(start + 50)
    await clock.advance(50)
    await end()
    await end()
    expect(rung).toEqual([start, start + 50])
    await clock.advance(50)
    expect(rung.at(-1)).toBe(start + 100)
    alarm.at(start + 150)
    await clock.advance(50)
    await end()
    await end()
    await clock.advance(50)
    expect(rung).toEqual([start, start + 50, start + 100, start + 150, start + 200])
  })

  it("[TRG-3] rings again when asked to while it rings, but not for what is due later", async () => {
    for (const [again, times] of [
      [true, 2],
      [false, 1],
    ] as const) {
      const { alarm, rung, end, start } = setUp()
      alarm.start()
      void alarm.ring()
      if (again) void alarm.ring()
      else alarm.at(start + 1_000)
      await end()
      expect(rung).toHaveLength(times)
    }
  })

  it("[TRG-3] does not ring again if it is stopped while it rings", async () => {
    const { alarm, rung, end } = setUp()
    alarm.start()
    void alarm.ring()
    void alarm.ring()
    const stopped = alarm.stop()
    await end()
    await stopped
    expect(rung).toHaveLength(1)
  })

  it("[TRG-3] waits before it rings for a time that has passed, and rings only once for a time it was given", async () => {
    const late = setUp(() => 0)
    late.alarm.start()
    void late.alarm.ring()
    await late.end()
    await late.clock.advance(1)
    expect(late.rung).toEqual([late.start, late.start + 1])
    const { clock, alarm, rung, end, start } = setUp()
    alarm.start()
    alarm.at(start + 100)
    void alarm.ring()
    await end()
    await clock.advance(200)
    expect(rung, "the timer was cleared by the ring before its time").toEqual([start])
  })
})
