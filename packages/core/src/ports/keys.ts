/** API keys of people, by the hash of their secret. */
import type { Millis, Scope } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"

export type KeyRecord = {
  readonly id: string
  readonly person: string
  readonly name: string
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly actFor: string | null
  /**
   * Whether it may act as its own person. A key that acts for others may not, unless its creator allowed it (SEC-31).
   */
  readonly asMaker: boolean
  /** The id of the key that created it; it ends with that key. */
  readonly madeBy: string | null
  readonly createdAt: Millis
  readonly expiresAt: Millis | null
  readonly revokedAt: Millis | null
}

export interface Keys {
  /** A person's keys, oldest first. */
  of(person: string): Promise<readonly KeyRecord[]>
  find(hash: string): Promise<KeyRecord | undefined>
  /** The keys with these hashes, in any order. */
  findAll(hashes: readonly string[]): Promise<readonly KeyRecord[]>
  /** False if the key that creates it was revoked in the meantime: then no key is created (SEC-30). */
  add(key: KeyRecord, audit: AuditEntry): Promise<boolean>
  /**
   * Ends the key, all keys it created, those that they created, and so on. Returns their ids, its own first; none if
   * this person has no such key. Each key that ends now gets an audit entry.
   */
  revoke(person: string, id: string, audit: AuditEntry): Promise<readonly string[]>
}
