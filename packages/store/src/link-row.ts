/** Converts a row of the `links` table to the port's `LinkRecord`, and decides whether one can be added. */
import type { Belongings, Linked, LinkRecord } from "@parlor/core"

export type LinkRow = { readonly name: string; readonly person: string; readonly created_at: number }

export const LINK_COLUMNS = "name, person, created_at"

/** The error of the tables when a linked name would own something. */
export const LINKED = "person.linked"

export type LinkOptions = { readonly most: number; readonly dropAttachments: boolean }

/** The current state, read in the transaction that links. */
export type LinkFacts = {
  /** The rows of the name and of the person, if they are linked. */
  readonly known: readonly LinkRow[]
  /** How many names are linked to the name, and to the person. */
  readonly ofName: number
  readonly ofPerson: number
  readonly has: Belongings
}

export function toLink({ name, person, created_at }: LinkRow): LinkRecord {
  return { name, person, createdAt: created_at }
}

/** Undefined: it can be linked. */
export function settled({ name, person }: LinkRecord, facts: LinkFacts, options: LinkOptions): Linked | undefined {
  const own = facts.known.find((row) => row.name === name)
  if (own !== undefined)
    return own.person === person ? { ok: true, link: toLink(own) } : { ok: false, why: "taken", person: own.person }
  const above = facts.known.find((row) => row.name === person)
  if (above !== undefined) return { ok: false, why: "is-name", person: above.person }
  if (facts.ofName > 0) return { ok: false, why: "has-names" }
  const has = options.dropAttachments ? { ...facts.has, attachments: 0 } : facts.has
  if (Object.values(has).some((count) => count > 0)) return { ok: false, why: "not-empty", has }
  return facts.ofPerson >= options.most ? { ok: false, why: "full" } : undefined
}

/** One row of counts. A feed alone does not count: it only lists conversations. PostgreSQL uses `$1` for `?1`. */
export const BELONGINGS = `
  SELECT
    (SELECT count(*) FROM streams WHERE person = ?1 AND kind = 'conversation' AND head > 0) AS conversations,
    (SELECT count(*) FROM memories WHERE owner = ?1) AS memories,
    (SELECT count(*) FROM triggers WHERE person = ?1) AS triggers,
    (SELECT count(*) FROM keys WHERE person = ?1 AND revoked_at IS NULL) AS keys,
    (SELECT count(*) FROM attachments WHERE person = ?1) AS attachments`
