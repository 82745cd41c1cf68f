/** Dates, numbers and lists as the chosen language writes them. */
import { perLocale } from "./texts.ts"

const numbers = perLocale((locale) => new Intl.NumberFormat(locale))
const ordinals = perLocale((locale) => new Intl.PluralRules(locale, { type: "ordinal" }))
const days = perLocale((locale) => new Intl.DateTimeFormat(locale))
const moments = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }))
const clocks = perLocale((locale) => new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }))
const weekdays = perLocale((locale) => new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }))
const ands = perLocale((locale) => new Intl.ListFormat(locale, { type: "conjunction" }))

export function numberText(value: number): string {
  return numbers().format(value)
}

/** 1st is `one`, 2nd is `two`, 3rd is `few`, in English. */
export function ordinalForm(place: number): Intl.LDMLPluralRule {
  return ordinals().select(place)
}

/** 11/18/2026 */
export function dayText(at: number | string): string {
  return days().format(new Date(at))
}

/** Nov 18, 2026, 9:05 AM */
export function momentText(at: number | string): string {
  return moments().format(new Date(at))
}

/** 09:05 AM */
export function clockText(at: number | string): string {
  return clocks().format(new Date(at))
}

/** Sunday, for 0. */
export function weekdayText(day: number): string {
  return weekdays().format(SUNDAY + day * DAY_MS)
}

const DAY_MS = 24 * 60 * 60_000
const SUNDAY = Date.UTC(2026, 10, 1)

/** notes.md, plan.md, and todo.md */
export function listText(items: readonly string[]): string {
  return ands().format(items)
}
