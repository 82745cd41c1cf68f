/** What is needed to read conversations, decide on them and write to them. */
import type { StreamId } from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"
import type { QuotaSettings, UsedBytes } from "../quota/quota.ts"
import type { ConversationCache } from "./cache.ts"
import type { DecisionQueue } from "./decision-queue.ts"
import type { Draining } from "./draining.ts"
import type { Hub } from "./hub.ts"
import type { Writer } from "./writer.ts"

export type LogAccess = Ports & {
  /** The name of this process among those that share a store. */
  readonly name: string
  readonly writer: Writer
  readonly hub: Hub
  /** Decisions of this process on one conversation wait here for each other. */
  readonly decisions: DecisionQueue
  /** Conversations as this process last wrote them, for its next decisions. */
  readonly cache: ConversationCache
  /** Aborted with `HandedOver` once this process drains: it then takes no conversation and starts no turn. */
  readonly draining: Draining
  /** The streams of people's feeds, by person. */
  readonly feeds: Map<string, StreamId>
  readonly usedBytes: UsedBytes
  /** Called when something happened that this person's outgoing webhooks may be about, or when they changed. */
  readonly tell: (person: string, options?: { readonly isNew?: boolean }) => void
  readonly settings: LogSettings
}

export type LogSettings = {
  readonly leaseMs: number
  /** How long events stay in the log after later ones have made them useless (LOG-36). */
  readonly logGraceMs: number
  /** How much one person may have stored (SEC-23). */
  readonly quota: QuotaSettings
}
