/**
 * Triggers and their firings (TRG-3, TRG-5, TRG-7).
 *
 * A trigger is stored as its concept wrote it, together with the fields a store needs to find it. An update names the
 * version it is based on, and one of two racing updates wins. Triggers of a conversation are deleted with it.
 */
import type { Millis, StreamId } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"

/** `wakeup`: a schedule that an agent created for itself. `deletion`: a conversation to be deleted (ADR-10).
 * `observation`: an agent waits for a change (COD-6). */
export type TriggerKind = "schedule" | "wakeup" | "hook" | "notice" | "deletion" | "observation"

export type TriggerRecord = {
  readonly id: string
  readonly kind: TriggerKind
  readonly person: string
  /** The conversation it belongs to. */
  readonly stream: StreamId | null
  /** When to check it next; null for never. */
  readonly lookAt: Millis | null
  /** Whether it counts against the limit of a person or a conversation. */
  readonly live: boolean
  /** Starts at 1; each update increments it. */
  readonly version: number
  readonly createdAt: Millis
  readonly value: string
}

/** `sent`: it led to a message. `refused`: kept separately, so that a stranger's attempts push nothing out. */
export type FiringKind = "sent" | "other" | "refused"

export type FiringRecord = {
  readonly trigger: string
  /** Unique within its trigger. */
  readonly id: string
  readonly at: Millis
  readonly kind: FiringKind
  readonly value: string
}

export interface Triggers {
  /** A person's triggers, oldest first. */
  of(person: string, kinds: readonly TriggerKind[]): Promise<readonly TriggerRecord[]>
  /** A conversation's triggers, oldest first. */
  on(stream: StreamId, kind: TriggerKind): Promise<readonly TriggerRecord[]>
  get(id: string): Promise<TriggerRecord | undefined>
  /**
   * `known`: the id exists already. `full`: the person or conversation already has `most` live ones of that kind.
   * `gone`: the conversation was deleted. Of those no longer live, only the newest per conversation are kept.
   */
  add(
    record: TriggerRecord,
    bounds: { readonly per: "person" | "stream"; readonly most: number },
    audit?: AuditEntry,
  ): Promise<"added" | "known" | "full" | "gone">
  /** All of these kinds, ordered by id, after `after`. */
  byId(
    kinds: readonly TriggerKind[],
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly TriggerRecord[]>
  /**
   * Updates it, together with a firing. False, and nothing written, unless the stored version is the previous one.
   * `erase`: the previous value is overwritten in storage, as far as the store can.
   */
  change(
    record: TriggerRecord,
    firings?: readonly FiringRecord[],
    options?: { readonly erase?: boolean },
  ): Promise<boolean>
  /** Deletes it with its firings. False if there is none. */
  delete(id: string, audit?: AuditEntry): Promise<boolean>
  /** Those due by now, ordered by `lookAt`, then by id. */
  due(
    kinds: readonly TriggerKind[],
    now: Millis,
    page: { readonly limit: number; readonly after?: Pick<TriggerRecord, "lookAt" | "id"> },
  ): Promise<readonly TriggerRecord[]>
  /** The earliest time at which one is due. */
  nextLook(kinds: readonly TriggerKind[]): Promise<Millis | undefined>

  /** The newest firings of each, up to the limit. */
  firings(triggers: readonly string[], most: number): Promise<readonly FiringRecord[]>
  /** Replaces one with the same id, unless that one was sent. Does nothing if there is no such trigger. */
  putFiring(firing: FiringRecord): Promise<void>
  /** How many were sent since then by triggers of that kind in that conversation. */
  countSent(stream: StreamId, kind: TriggerKind, since: Millis): Promise<number>
}
