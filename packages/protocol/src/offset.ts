/**
 * Offsets of the Durable Streams read side: the event's number, zero-padded so that they sort as text (LOG-7), then a
 * checksum of the id of the write that the event belongs to.
 *
 * After a restore from a backup, the same numbers are assigned to different events, so a number alone is not enough.
 * Write ids are random, so an event with the same number and the same check has the same history before it (LOG-20).
 */
const DIGITS = 16
const CHECK_LENGTH = 7
const SHAPE = /^(\d{16})(?:_([0-9a-z]{7}))?$/

export const START_OFFSET = "-1"
export const NOW_OFFSET = "now"

/** The offset of rows read from the state instead of the log: it belongs to no event. */
export const SNAPSHOT_TXID = "snapshot"

/** Without the id of its write, an offset is only a number, and is valid in any history that is long enough. */
export function formatOffset(seq: number, txid?: string): string {
  const number = String(seq).padStart(DIGITS, "0")
  return txid === undefined || txid === SNAPSHOT_TXID || seq === 0 ? number : `${number}_${checkOf(txid)}`
}

/** The number an offset stands for: 0 for the start, "now" for the tail, undefined if it is not an offset. */
export function parseOffset(offset: string): number | "now" | undefined {
  if (offset === START_OFFSET) return 0
  if (offset === NOW_OFFSET) return "now"
  const [, digits] = SHAPE.exec(offset) ?? []
  if (digits === undefined) return undefined
  const seq = Number(digits)
  return Number.isSafeInteger(seq) ? seq : undefined
}

/** Whether an offset can belong to that write: false only if its check differs. */
export function fitsOffset(offset: string, txid: string): boolean {
  const [, , check] = SHAPE.exec(offset) ?? []
  return check === undefined || check === checkOf(txid)
}

let lastTxid: string | undefined
let lastCheck = ""

/** FNV-1a, 32 bits. All changes of a write have one id, so the last result is cached. */
function checkOf(txid: string): string {
  if (txid === lastTxid) return lastCheck
  let hash = 0x811c9dc5
  for (let i = 0; i < txid.length; i++) hash = Math.imul(hash ^ txid.charCodeAt(i), 0x01000193)
  lastTxid = txid
  lastCheck = (hash >>> 0).toString(36).padStart(CHECK_LENGTH, "0")
  return lastCheck
}
