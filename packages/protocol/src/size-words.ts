/** Formats a size for the page, the command line and errors. A megabyte is 1,048,576 bytes, as in the limits. Pure. */
const UNITS = ["KB", "MB", "GB"] as const
const STEP = 1_024

export function sizeWords(bytes: number): string {
  if (bytes < STEP) return `${bytes} B`
  let unit = 0
  let size = bytes / STEP
  // A size that would round to 1024 of a unit is shown as 1 of the next.
  while (Math.round(size) >= STEP && unit < UNITS.length - 1) {
    size /= STEP
    unit += 1
  }
  return `${unit === 0 ? Math.round(size) : size.toFixed(1).replace(/\.0$/, "")} ${UNITS[unit]}`
}
