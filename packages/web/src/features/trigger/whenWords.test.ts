import type { FiringView } from "@parlor/protocol"
import { spokenFiring, spokenWhen } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { german } from "../../texts/de.ts"
import { speakIn } from "../../texts/texts.ts"
import { firingWords, whenWords } from "./whenWords.ts"

const timeZone = "Europe/Berlin"
const firing = (change: Partial<FiringView>): FiringView => ({
  id: "fir_1",
  at: 0,
  dueAt: null,
  outcome: "started",
  message: null,
  became: null,
  error: null,
  ...change,
})

afterEach(() => speakIn("en", undefined))

describe("[TRG-16] [SET-2] a schedule in words", () => {
  const schedules = [
    [{ cron: "0 9 * * 1-5", timeZone }, "Montag bis Freitag um 09:00 (Europe/Berlin)"],
    [{ cron: "30 18 * * *", timeZone }, "jeden Tag um 18:30 (Europe/Berlin)"],
    [{ cron: "5 0 * * 7", timeZone }, "jeden Sonntag um 00:05 (Europe/Berlin)"],
    [{ cron: "15 12 31 * *", timeZone }, "jeden Monat am 31. um 12:15 (Europe/Berlin)"],
    [{ cron: "*/5 * * * *", timeZone }, "*/5 * * * * (Europe/Berlin)"],
    [{ everyMs: 60_000 }, "jede Minute"],
    [{ everyMs: 2 * 3_600_000 }, "alle 2 Stunden"],
  ] as const

  it.each(schedules)("%j in English is what the command line says", (when) => {
    expect(whenWords(when)).toBe(spokenWhen(when))
  })

  it.each(schedules)("%j in German is %s", (when, words) => {
    speakIn("de", german)
    expect(whenWords(when)).toBe(words)
  })
})

describe("[TRG-7] [SET-2] what became of a firing", () => {
  const error = { code: "x", detail: "Nobody answered." }
  it.each([
    { outcome: "failed", error },
    { outcome: "refused", error },
    { outcome: "waiting" },
    { outcome: "missed" },
    { outcome: "started" },
    { outcome: "queued" },
    { became: "failed" },
    { became: "removed" },
  ] as const)("%j in English is what the command line says, and German has other words", (change) => {
    const one = firing(change)
    expect(firingWords(one)).toBe(spokenFiring(one))
    speakIn("de", german)
    expect(firingWords(one)).not.toBe(spokenFiring(one))
  })
})
