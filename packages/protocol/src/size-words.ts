/** A size as people say it, on the page, the command line and in errors, in the units the limits are given in: a megabyte is 1,048,576 bytes. Pure. */
const UNITS = ["KB", "MB", "GB"] as const
const STEP = 1_024

export function sizeWords(bytes: number): string {
  if (bytes < STEP) return `${bytes} B`
  let unit = 0
  let size = bytes / STEP
  // What would round to 1024 of a unit is 1 of the next.
  while (Math.round(size) >= STEP && unit < UNITS.length - 1) {
    size /= STEP
    unit += 1
  }
  return `${unit === 0 ? Math.round(size) : size.toFixed(1).replace(/\.0$/, "")} ${UNITS[unit]}`
}
