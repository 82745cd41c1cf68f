/** What is needed to read conversations, decide on them and write to them. */
import type { FeedNews, FeedRow, StreamId } from "@parlor/protocol"
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
  /** Called once for each event that concerns a person, by the process that wrote it, once it is durable (APP-10). */
  readonly announce: (announced: Announced) => void
  readonly settings: LogSettings
}

export type Announced = {
  readonly person: string
  /** The conversation as its person's feed has it. */
  readonly row: FeedRow
  readonly news: FeedNews
  /** The person, or a program of theirs, was reading the conversation on this server. */
  readonly isWatched: boolean
}

export type LogSettings = {
  readonly leaseMs: number
  /** How long events stay in the log after later ones have made them useless (LOG-36). */
  readonly logGraceMs: number
  /** How much one person may have stored (SEC-23). */
  readonly quota: QuotaSettings
}
