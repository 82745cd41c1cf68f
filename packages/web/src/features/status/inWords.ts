/** Formats a short remaining time. */
export function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds <= 0) return "now"
  if (seconds < 100) return `in ${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? `in ${minutes} min` : `in ${Math.round(minutes / 60)} h`
}
