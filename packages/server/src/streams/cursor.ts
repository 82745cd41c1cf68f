/** The cursor of live responses: 20-second intervals, always later than the client's, so that caches do not repeat a response. */
const EPOCH = Date.UTC(2024, 9, 9)
const INTERVAL_MS = 20_000

export function currentCursor(now: number): number {
  return Math.floor((now - EPOCH) / INTERVAL_MS)
}

export function nextCursor(now: number, given: string | undefined): number {
  const current = currentCursor(now)
  const known = given !== undefined && /^\d{1,12}$/.test(given) ? Number(given) : -1
  return Math.max(current, known + 1)
}
