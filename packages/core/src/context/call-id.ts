/**
 * Ids and names of tool calls in the form every provider takes. Pure.
 *
 * The next request may go to another provider than the one that made them up, and one id twice in a request is refused
 * by all of them.
 */

const CALL_ID = /^[\w-]{1,40}$/
const CALL_ID_LENGTH = 40
const NAME_LENGTH = 64
/** What a number after a taken id may need. */
const SUFFIX_LENGTH = 8

/** The wanted id where it is well formed and free, otherwise the nearest that is. */
export function freeCallId(wanted: string, taken: ReadonlySet<string>): string {
  const id = CALL_ID.test(wanted) ? wanted : wanted.replace(/[^\w-]/g, "").slice(0, CALL_ID_LENGTH) || "call"
  if (!taken.has(id)) return id
  const stem = id.slice(0, CALL_ID_LENGTH - SUFFIX_LENGTH)
  let n = 2
  while (taken.has(`${stem}_${n}`)) n++
  return `${stem}_${n}`
}

/** A name that is no tool's can be anything: models make them up. */
export function callName(name: string): string {
  const plain = name.replace(/[^\w-]/g, "_")
  return (/^[a-z_]/i.test(plain) ? plain : `_${plain}`).slice(0, NAME_LENGTH)
}
