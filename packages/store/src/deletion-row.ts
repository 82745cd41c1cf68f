/** What both stores delete of a person alike (SEC-25). */

/** What the tables refuse a name with whose person is being deleted. */
export const DELETING = "person.deleting"

/** The audit's line of a deletion: it stays. */
const DELETED_ACT = "person.deleted"

/** Contents are large: so many attachments at a time. */
export const ATTACHMENTS_AT_ONCE = 8

/** Tables with an owner, and the column that names it. */
export const OWNED = {
  streams: "person",
  memories: "owner",
  attachments: "person",
  triggers: "person",
  keys: "person",
} as const

/** PostgreSQL says `$1` for `?1`. */
export const HAS_ANYTHING = `
  SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM streams WHERE person = ?1)
    OR EXISTS (SELECT 1 FROM memories WHERE owner = ?1) OR EXISTS (SELECT 1 FROM attachments WHERE person = ?1)
    OR EXISTS (SELECT 1 FROM triggers WHERE person = ?1) OR EXISTS (SELECT 1 FROM keys WHERE person = ?1)
    OR EXISTS (SELECT 1 FROM links WHERE person = ?1) OR EXISTS (SELECT 1 FROM spending WHERE person = ?1)`

/** In this order: whose a firing is, its trigger says. Memories and attachments go on their own. */
export const DELETED = [
  "DELETE FROM firings WHERE trigger_id IN (SELECT id FROM triggers WHERE person = ?1)",
  "DELETE FROM triggers WHERE person = ?1",
  "DELETE FROM keys WHERE person = ?1",
  "DELETE FROM links WHERE person = ?1 OR name = ?1",
  "DELETE FROM spending WHERE person = ?1",
  "DELETE FROM contents_held WHERE person = ?1",
  "DELETE FROM stored WHERE person = ?1",
  "DELETE FROM people WHERE person = ?1",
  `UPDATE audit SET person = '', subject = '' WHERE person = ?1 AND act <> '${DELETED_ACT}'`,
]

/** Lines of others about their names, which quote them. */
export function quotedName(person: string): string {
  return JSON.stringify(person)
}
