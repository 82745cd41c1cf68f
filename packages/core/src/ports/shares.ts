/**
 * Shares of conversations (SHR-1). A share ends with its conversation, with its owner and with its viewer, in the
 * transaction that deletes them. An ended one is kept for a while, so that a link can say that it ended.
 */
import type { Millis, ShareView, StreamId } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"

export type ShareRecord = {
  readonly id: string
  /** The owner. */
  readonly person: string
  readonly stream: StreamId
  readonly agent: string
  readonly branch: string
  /** Null for a link. */
  readonly viewer: string | null
  /** The hash of a link's secret; null for a viewer. */
  readonly hash: string | null
  /** Of a snapshot: its last message, the last event that counts, and the title then. Null if it is live. */
  readonly upTo: { readonly ord: number; readonly seq: number; readonly title: string } | null
  readonly shows: ShareView["shows"]
  readonly createdAt: Millis
  readonly expiresAt: Millis | null
  readonly revokedAt: Millis | null
}

export type ShareBounds = {
  /** Active shares of one person. */
  readonly most: number
  /** Ended ones of one person that are kept. */
  readonly ended: number
}

export interface Shares {
  /** Those of these ids that exist, ended or not, in any order. */
  findAll(ids: readonly string[]): Promise<readonly ShareRecord[]>
  /** A person's own, newest first, ended or not. */
  of(person: string): Promise<readonly ShareRecord[]>
  /** The active ones that name this viewer, newest first. */
  sharedWith(viewer: string, page: { readonly now: Millis; readonly limit: number }): Promise<readonly ShareRecord[]>
  /**
   * `gone`: the conversation was deleted. `no-viewer`: nobody of that name has anything here. Ended shares beyond those
   * that are kept are deleted.
   */
  add(share: ShareRecord, bounds: ShareBounds, audit: AuditEntry): Promise<"added" | "full" | "gone" | "no-viewer">
  /** The share as it was before; undefined if this person has no such active share. */
  revoke(person: string, id: string, audit: AuditEntry): Promise<ShareRecord | undefined>
}
