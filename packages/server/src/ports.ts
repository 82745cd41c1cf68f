/** The core's ports on Node: time and ids. */
import { randomFillSync } from "node:crypto"
import type { Clock, Ids, Log, Random } from "@parlor/core"

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

/** A timer's callback may fail, for example when the process is out of file descriptors. That must not end the process (SEC-13). */
export function guardedClock(clock: Clock, log: Log): Clock {
  return {
    now: () => clock.now(),
    after: (ms, call) =>
      clock.after(ms, () => {
        try {
          call()
        } catch (error) {
          log.error("timer failed", { reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
        }
      }),
  }
}

export const systemRandom: Random = { next: () => Math.random() }

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
const TIME_DIGITS = 9
const RANDOM_DIGITS = 11

/** Time in 9 digits, then 11 random ones: sorts by age and cannot be guessed. */
export function randomIds(clock: Clock): Ids {
  const pool = new Uint8Array(RANDOM_DIGITS * 256)
  let used = pool.length
  let lastTime = -1
  let lastText = ""
  return {
    next: (prefix) => {
      const now = clock.now()
      if (now !== lastTime) {
        lastTime = now
        lastText = timeText(now)
      }
      if (used >= pool.length) {
        randomFillSync(pool)
        used = 0
      }
      let id = `${prefix}_${lastText}`
      for (let i = 0; i < RANDOM_DIGITS; i++) id += ALPHABET[(pool[used++] ?? 0) & 31]
      return id
    },
  }
}

function timeText(now: number): string {
  let text = ""
  for (let i = 0, rest = now; i < TIME_DIGITS; i++) {
    text = ALPHABET[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}
