/** A clock that moves only when it is told to. */
import type { Clock } from "@parlor/core"

export type FakeClock = Clock & { readonly waiting: () => number; advance(ms: number): void }

export function fakeClock(): FakeClock {
  let now = 0
  let timers: { readonly at: number; readonly call: () => void }[] = []
  return {
    now: () => now,
    after(ms, call) {
      const timer = { at: now + ms, call }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    waiting: () => timers.length,
    advance(ms) {
      const until = now + ms
      for (;;) {
        const due = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers = timers.filter((timer) => timer !== due)
        now = Math.max(now, due.at)
        due.call()
      }
      now = until
    },
  }
}
