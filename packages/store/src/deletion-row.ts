/** What both stores delete of a person (SEC-25). */

/** The error of the tables for a name whose person is being deleted. */
export const DELETING = "person.deleting"

/** The audit entry of a deletion, which stays. */
const DELETED_ACT = "person.deleted"

/** Contents are large, so only this many attachments at a time. */
export const ATTACHMENTS_AT_ONCE = 8

/** Tables with an owner, and its column. */
export const OWNED = {
  streams: "person",
  memories: "owner",
  attachments: "person",
  triggers: "person",
  keys: "person",
} as const

/** PostgreSQL uses `$1` for `?1`. */
export const HAS_ANYTHING = `
  SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM streams WHERE person = ?1)
    OR EXISTS (SELECT 1 FROM memories WHERE owner = ?1) OR EXISTS (SELECT 1 FROM attachments WHERE person = ?1)
    OR EXISTS (SELECT 1 FROM triggers WHERE person = ?1) OR EXISTS (SELECT 1 FROM keys WHERE person = ?1)
    OR EXISTS (SELECT 1 FROM links WHERE person = ?1) OR EXISTS (SELECT 1 FROM spending WHERE person = ?1)
    OR EXISTS (SELECT 1 FROM preferences WHERE person = ?1) OR EXISTS (SELECT 1 FROM pushes WHERE person = ?1)`

/**
 * In this order, because a firing's person is found through its trigger. Memories and attachments are deleted
 * separately.
 */
export const DELETED = [
  "DELETE FROM firings WHERE trigger_id IN (SELECT id FROM triggers WHERE person = ?1)",
  "DELETE FROM triggers WHERE person = ?1",
  "DELETE FROM keys WHERE person = ?1",
  "DELETE FROM preferences WHERE person = ?1",
  "DELETE FROM pushes WHERE person = ?1",
  "DELETE FROM links WHERE person = ?1 OR name = ?1",
  "DELETE FROM shares WHERE person = ?1 OR viewer = ?1",
  "DELETE FROM spending WHERE person = ?1",
  "DELETE FROM contents_held WHERE person = ?1",
  "DELETE FROM stored WHERE person = ?1",
  "DELETE FROM people WHERE person = ?1",
  `UPDATE audit SET person = '', subject = '' WHERE person = ?1 AND act <> '${DELETED_ACT}'`,
]

/** A name as quoted in other people's audit entries. */
export function quotedName(person: string): string {
  return JSON.stringify(person)
}
