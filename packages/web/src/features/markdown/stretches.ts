/** Splits code into chunks of whole lines; only the last chunk changes while it grows. Pure. */
export const LINES_AT_ONCE = 80

export function stretchesOf(text: string): readonly string[] {
  const stretches: string[] = []
  let from = 0
  let lines = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    lines += 1
    if (lines < LINES_AT_ONCE) continue
    stretches.push(text.slice(from, at))
    from = at + 1
    lines = 0
  }
  return [...stretches, text.slice(from)]
}
