/** API keys as lines for a terminal, and the expiry that people type. Pure. */
import type { KeyView } from "@parlor/protocol"

export function keyLine(key: KeyView, now: number): string {
  const { id, name, scopes, actFor, expiresAt, revokedAt } = key
  const ends = revokedAt !== null ? "revoked" : expiryWords(expiresAt, now)
  return [id, scopes.join(","), ends, ...(actFor === null ? [] : [`for ${actFor}`]), name].join("  ")
}

export function expiryWords(expiresAt: number | null, now: number): string {
  if (expiresAt === null) return "never expires"
  const day = new Date(expiresAt).toISOString().slice(0, 10)
  return expiresAt <= now ? `expired ${day}` : `expires ${day}`
}

const UNITS_MS = { h: 3_600_000, d: 86_400_000 }

/** A date or time, or hours or days from now; undefined if it is neither. */
export function timeOf(text: string, now: number): number | undefined {
  const span = /^(\d{1,5})([hd])$/.exec(text)
  if (span !== null) return now + Number(span[1]) * UNITS_MS[span[2] as keyof typeof UNITS_MS]
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
