import { expect, it } from "vitest"
import { spokenWhen } from "./spoken-when.ts"

const timeZone = "Europe/Berlin"

it.each([
  ["0 9 * * 1-5", "every weekday at 09:00 (Europe/Berlin)"],
  ["30 18 * * *", "every day at 18:30 (Europe/Berlin)"],
  ["5 0 * * 1", "every Monday at 00:05 (Europe/Berlin)"],
  ["0 7 * * 7", "every Sunday at 07:00 (Europe/Berlin)"],
  ["15 12 31 * *", "on day 31 of every month at 12:15 (Europe/Berlin)"],
])("[TRG-16] a schedule by days is told in words: %s", (cron, words) => {
  expect(spokenWhen({ cron, timeZone })).toBe(words)
})

it.each(["*/5 * * * *", "0 9 1 * 1", "0 9 * 6 *", "0 9 * * 1,3", "0 9 * * 1-5 7", "0 9-17 * * *", "@daily"])(
  "[TRG-16] another pattern is shown as it is: %s",
  (cron) => {
    expect(spokenWhen({ cron, timeZone })).toBe(`${cron} (${timeZone})`)
  },
)

it.each([
  [60_000, "every minute"],
  [2 * 3_600_000, "every 2 hours"],
  [1_500, "every 1500 milliseconds"],
])("an interval of %i ms is told in its largest unit", (everyMs, words) => {
  expect(spokenWhen({ everyMs })).toBe(words)
})
