/**
 * Linked names of a person (ADR-4), one level deep: `name` has no linked names, and `person` is not linked to anyone.
 *
 * A linked name owns nothing. `link` checks that and links it in one transaction; from then on every call that would
 * create the first thing of that name (`log.ensure`, `memories.put`, `blobs.attach`, `triggers.add`, `keys.add`) is rejected with
 * `person.linked` in its own transaction: whichever comes second loses, on any node. A conversation without messages
 * counts as nothing and is deleted; a writer to it is told that it was deleted.
 */
import type { Millis } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"

export type LinkRecord = { readonly name: string; readonly person: string; readonly createdAt: Millis }

/** How many things a name owns. */
export type Belongings = {
  readonly conversations: number
  readonly memories: number
  readonly triggers: number
  /** Not counting revoked ones. */
  readonly keys: number
  readonly attachments: number
}

export type Linked =
  | { readonly ok: true; readonly link: LinkRecord }
  /** It is already linked to that person. */
  | { readonly ok: false; readonly why: "taken"; readonly person: string }
  /** `person` is itself linked to another person. */
  | { readonly ok: false; readonly why: "is-name"; readonly person: string }
  /** `name` has linked names of its own. */
  | { readonly ok: false; readonly why: "has-names" }
  | { readonly ok: false; readonly why: "not-empty"; readonly has: Belongings }
  | { readonly ok: false; readonly why: "full" }

/** This person's names, and those of everyone whose name starts with the prefix. */
export type LinksOf = { readonly person: string; readonly prefix?: string }

export interface Links {
  /** Ordered by name, after `after`. */
  list(of: LinksOf, page: { readonly after: string; readonly limit: number }): Promise<readonly LinkRecord[]>
  /** Those of these names that are linked. */
  named(names: readonly string[]): Promise<readonly LinkRecord[]>
  /**
   * An existing link stays as it is and is not audited again. `most`: the maximum number of names per person.
   * `dropAttachments`: attachments do not prevent linking, and are deleted.
   */
  link(
    record: LinkRecord,
    options: { readonly most: number; readonly dropAttachments: boolean },
    audit: AuditEntry,
  ): Promise<Linked>
  /** False if that name is not linked to that person. */
  unlink(record: Pick<LinkRecord, "name" | "person">, audit: AuditEntry): Promise<boolean>
}
