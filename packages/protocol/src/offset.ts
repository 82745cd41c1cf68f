/** Offsets of the Durable Streams read side: the event's number, zero-padded so that they sort as text (LOG-7). */
const DIGITS = 16
const SHAPE = /^\d{16}$/

export const START_OFFSET = "-1"
export const NOW_OFFSET = "now"

export function formatOffset(seq: number): string {
  return String(seq).padStart(DIGITS, "0")
}

/** The number an offset stands for: 0 for the start, "now" for the tail, undefined when it is no offset at all. */
export function parseOffset(offset: string): number | "now" | undefined {
  if (offset === START_OFFSET) return 0
  if (offset === NOW_OFFSET) return "now"
  if (!SHAPE.test(offset)) return undefined
  const seq = Number(offset)
  return Number.isSafeInteger(seq) ? seq : undefined
}
