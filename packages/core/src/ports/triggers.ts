/**
 * What fires, and what it did (TRG-3, TRG-5, TRG-7).
 *
 * A trigger is kept as its concept wrote it; beside that stands what a store has to find it by. Whoever changes one says
 * which version they saw, and one of two racing changes wins. What hangs on a conversation goes with it.
 */
import type { Millis, StreamId } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"

/** `wakeup`: a schedule that an agent made for itself. */
export type TriggerKind = "schedule" | "wakeup" | "hook" | "notice"

export type TriggerRecord = {
  readonly id: string
  readonly kind: TriggerKind
  readonly person: string
  /** The conversation it hangs on. */
  readonly stream: StreamId | null
  /** When to look at it next; null for never. */
  readonly lookAt: Millis | null
  /** Whether it counts against what a person or a conversation may have. */
  readonly live: boolean
  /** From 1; each change raises it by one. */
  readonly version: number
  readonly createdAt: Millis
  readonly value: string
}

/** `sent`: a message came of it. `refused`: kept apart, so that a stranger's tries push nothing out. */
export type FiringKind = "sent" | "other" | "refused"

export type FiringRecord = {
  readonly trigger: string
  /** Unique for its trigger. */
  readonly id: string
  readonly at: Millis
  readonly kind: FiringKind
  readonly value: string
}

export interface Triggers {
  /** A person's, the oldest first. */
  triggers(person: string, kinds: readonly TriggerKind[]): Promise<readonly TriggerRecord[]>
  /** Those of a conversation, the oldest first. */
  triggersOn(stream: StreamId, kind: TriggerKind): Promise<readonly TriggerRecord[]>
  trigger(id: string): Promise<TriggerRecord | undefined>
  /**
   * `known`: there is one of that id. `full`: there are `most` live ones of that kind already, of its person or on its
   * conversation. `gone`: so is its conversation. Of those that are no longer live, the newest on a conversation stay.
   */
  addTrigger(
    record: TriggerRecord,
    bounds: { readonly per: "person" | "stream"; readonly most: number },
    audit?: AuditEntry,
  ): Promise<"added" | "known" | "full" | "gone">
  /** All of these kinds, in the order of their ids, after `after`. */
  triggersById(
    kinds: readonly TriggerKind[],
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly TriggerRecord[]>
  /**
   * With what it did. False, and nothing written, unless the version before is the one that is there. `erase`: the value
   * before is overwritten where it was stored, as far as the store can.
   */
  changeTrigger(
    record: TriggerRecord,
    firings?: readonly FiringRecord[],
    options?: { readonly erase?: boolean },
  ): Promise<boolean>
  /** With all it did. False when there is none. */
  deleteTrigger(id: string, audit?: AuditEntry): Promise<boolean>
  /** Those to look at by now, in the order of `lookAt`, then of their ids. */
  dueTriggers(
    kinds: readonly TriggerKind[],
    now: Millis,
    page: { readonly limit: number; readonly after?: Pick<TriggerRecord, "lookAt" | "id"> },
  ): Promise<readonly TriggerRecord[]>
  /** The first moment at which there is one to look at. */
  nextLook(kinds: readonly TriggerKind[]): Promise<Millis | undefined>

  /** The newest of each, so many at most. */
  firings(triggers: readonly string[], most: number): Promise<readonly FiringRecord[]>
  /** In place of one of the same id, unless that one was sent. Nothing when there is no such trigger. */
  putFiring(firing: FiringRecord): Promise<void>
  /** How many were sent since then, by triggers of that kind on that conversation. */
  countSent(stream: StreamId, kind: TriggerKind, since: Millis): Promise<number>
}
