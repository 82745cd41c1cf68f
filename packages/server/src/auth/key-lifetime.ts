import type { Caller } from "./caller.ts"

/**
 * The latest expiry of a key that this caller may create; null for no limit. A key does not outlive its creator
 * (SEC-30). The credential of a signed-in person lasts for minutes, so the owner of the server may allow longer
 * (SEC-38).
 */
export function keysUntil(
  { key, expiresAt }: Pick<Caller, "key" | "expiresAt">,
  now: number,
  signedInKeysMs: number | undefined,
): number | null {
  if (expiresAt === null || key !== null || signedInKeysMs === undefined) return expiresAt
  return Math.max(expiresAt, now + signedInKeysMs)
}
