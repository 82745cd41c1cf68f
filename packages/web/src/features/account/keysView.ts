/** A person's API keys, ready to show, and the choices of the form for a new one. Pure. */
import type { AccountView, KeyView, Scope } from "@parlor/protocol"
import { t } from "../../texts/en/account.ts"
import { dayText } from "../../texts/format.ts"

const DAY_MS = 86_400_000

/** Keys that still work, newest first. */
export function shownKeys(keys: readonly KeyView[], now: number): readonly KeyView[] {
  return keys
    .filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now))
    .sort((one, other) => other.createdAt - one.createdAt)
}

export function keyWords({ scopes, createdAt, expiresAt, actFor }: KeyView): string {
  const ends = expiresAt === null ? t("neverExpires") : t("expiresOn", { day: dayText(expiresAt) })
  const whom = actFor === null ? [] : [t("actsFor", { whom: actFor })]
  return [scopes.join(", "), ...whom, t("createdOn", { day: dayText(createdAt) }), ends].join(" · ")
}

/** What a key may be allowed, of what its creator is allowed. */
export const scopes = ["read", "write", "manage", "metrics"] as const satisfies readonly Scope[]

export function scopeText(scope: Scope): string {
  switch (scope) {
    case "read":
      return t("mayRead")
    case "write":
      return t("mayWrite")
    case "manage":
      return t("mayManage")
    case "metrics":
      return t("mayMetrics")
  }
}

/** Lifetimes to choose from, in days; undefined for a key that does not expire. */
const LIFETIMES = [1, 7, 30, 90, 365, undefined] as const
const USUAL_DAYS = 90
/** The server said until when a moment ago, and counts the days from then. */
const LEEWAY_MS = 3_600_000

export type Lifetime = { readonly value: string; readonly label: string; readonly expiresAt: number | null }

/** Those that this account may choose; if none fits, the longest it may have. */
export function lifetimesOf({ keysUntil }: Pick<AccountView, "keysUntil">, now: number): readonly Lifetime[] {
  const all = LIFETIMES.map((days) => lifetime(days, now))
  if (keysUntil === null) return all
  const fitting = all.flatMap(({ expiresAt, ...one }) =>
    expiresAt === null || expiresAt > keysUntil + LEEWAY_MS
      ? []
      : [{ ...one, expiresAt: Math.min(expiresAt, keysUntil) }],
  )
  if (fitting.length > 0) return fitting
  const minutes = Math.max(0, Math.floor((keysUntil - now) / 60_000))
  return [{ value: "longest", label: t("asLongAsSignIn", { count: minutes }), expiresAt: keysUntil }]
}

/** 90 days, or the longest that is offered. */
export function usualLifetime(offered: readonly Lifetime[]): string {
  return (offered.find(({ value }) => value === String(USUAL_DAYS)) ?? offered.at(-1))?.value ?? ""
}

function lifetime(days: number | undefined, now: number): Lifetime {
  if (days === undefined) return { value: "never", label: t("noExpiry"), expiresAt: null }
  return { value: String(days), label: t("days", { count: days }), expiresAt: now + days * DAY_MS }
}
