/** A hue for a name: the same name has the same color on every device. */
export function hueOf(name: string): number {
  let sum = 7
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return Math.round((sum / 997) * 360)
}
