/** A size as people say it, in the units the limits are given in: a megabyte is 1,048,576 bytes. Pure. */
const UNITS = ["KB", "MB", "GB"] as const
const STEP = 1_024

export function sizeWords(bytes: number): string {
  if (bytes < STEP) return `${bytes} B`
  const power = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10))
  const size = bytes / STEP ** power
  const words = power === 1 ? String(Math.round(size)) : size.toFixed(1).replace(/\.0$/, "")
  return `${words} ${UNITS[power - 1]}`
}
