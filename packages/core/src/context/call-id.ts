/**
 * Ids and names of tool calls in a form that every provider accepts. Pure.
 *
 * The next request may go to a different provider than the one that generated them, and every provider rejects a
 * duplicate id.
 */

const CALL_ID = /^[\w-]{1,40}$/
const CALL_ID_LENGTH = 40
const NAME_LENGTH = 64
/** Room for a number after an id that is taken. */
const SUFFIX_LENGTH = 8

/** The requested id if it is well formed and free, otherwise the closest one that is. */
export function freeCallId(wanted: string, taken: ReadonlySet<string>): string {
  const id = CALL_ID.test(wanted) ? wanted : wanted.replace(/[^\w-]/g, "").slice(0, CALL_ID_LENGTH) || "call"
  if (!taken.has(id)) return id
  const stem = id.slice(0, CALL_ID_LENGTH - SUFFIX_LENGTH)
  let n = 2
  while (taken.has(`${stem}_${n}`)) n++
  return `${stem}_${n}`
}

/** The name of an unknown tool can be anything: models make them up. */
export function callName(name: string): string {
  const plain = name.replace(/[^\w-]/g, "_")
  return (/^[a-z_]/i.test(plain) ? plain : `_${plain}`).slice(0, NAME_LENGTH)
}
