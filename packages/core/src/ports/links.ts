/**
 * Names that are other names of a person (ADR-4), one level deep: `name` has no names of its own, and `person` is
 * nobody's other name.
 *
 * A linked name owns nothing. `link` looks whether it does and links it in one transaction, and from then on every call
 * that would make the first thing of that name (`ensure`, `putMemory`, `attach`, `addTrigger`, `addKey`) is refused with
 * `person.linked` in its own: whichever of two comes second loses, on whatever node. A conversation that nobody wrote to
 * is nothing, and goes: who is about to write to it is told that it is gone.
 */
import type { Millis } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"

export type LinkRecord = { readonly name: string; readonly person: string; readonly createdAt: Millis }

/** How many things a name has of its own. */
export type Belongings = {
  readonly conversations: number
  readonly memories: number
  readonly triggers: number
  /** Those that were not revoked. */
  readonly keys: number
  readonly attachments: number
}

export type Linked =
  | { readonly ok: true; readonly link: LinkRecord }
  /** It is another name of that person already. */
  | { readonly ok: false; readonly why: "taken"; readonly person: string }
  /** `person` is itself another name, of this one. */
  | { readonly ok: false; readonly why: "is-name"; readonly person: string }
  /** `name` has names of its own. */
  | { readonly ok: false; readonly why: "has-names" }
  | { readonly ok: false; readonly why: "not-empty"; readonly has: Belongings }
  | { readonly ok: false; readonly why: "full" }

/** Whose names: this person's, and those of everyone whose name begins so. */
export type LinksOf = { readonly person: string; readonly prefix?: string }

export interface Links {
  /** By name, after `after`. */
  links(of: LinksOf, page: { readonly after: string; readonly limit: number }): Promise<readonly LinkRecord[]>
  /** Those of these names that are linked. */
  linksOf(names: readonly string[]): Promise<readonly LinkRecord[]>
  /**
   * What is linked so already stays as it is, and is not audited again. `most`: so many names a person has at most.
   * `dropAttachments`: attachments do not stand in the way, and go.
   */
  link(
    record: LinkRecord,
    options: { readonly most: number; readonly dropAttachments: boolean },
    audit: AuditEntry,
  ): Promise<Linked>
  /** False when that name is not linked to that person. */
  unlink(record: Pick<LinkRecord, "name" | "person">, audit: AuditEntry): Promise<boolean>
}
