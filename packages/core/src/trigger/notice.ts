/** An outgoing webhook and its progress. Pure. */
import {
  type FiringView,
  type Millis,
  type NoticeEvent,
  type NoticeView,
  type ProblemNote,
  parseRow,
  type StoredChange,
  unreachable,
} from "@parlor/protocol"
import type { TriggerRecord } from "../ports/triggers.ts"

export type Notice = {
  readonly id: string
  readonly person: string
  readonly name: string
  readonly url: string
  readonly events: readonly NoticeEvent[]
  readonly agent: string | null
  /** Sealed (SEC-29). */
  readonly secret: string
  readonly state: "active" | "paused"
  readonly why: ProblemNote | null
  /** The last number of the person's feed that was sent or skipped. */
  readonly upTo: number
  /** Failed attempts for the next event. */
  readonly tries: number
  readonly retryAt: Millis | null
  /** A process is sending it: nobody else may before this time. */
  readonly takenUntil: Millis | null
  /** It is declared in the config (TRG-11). */
  readonly declared?: boolean
  readonly version: number
  readonly createdAt: Millis
}

/** The body, in the format of Standard Webhooks. */
export type Told = { readonly type: NoticeEvent | "test"; readonly timestamp: string; readonly data: object }

export function noticeRecord(notice: Notice): TriggerRecord {
  const { id, person, version, createdAt, ...rest } = notice
  const { state, retryAt, takenUntil } = notice
  const lookAt = state === "paused" ? null : Math.max(retryAt ?? 0, takenUntil ?? 0)
  const value = JSON.stringify(rest)
  return { id, kind: "notice", person, stream: null, version, createdAt, live: true, lookAt, value }
}

export function noticeOf(record: TriggerRecord): Notice {
  const { id, person, version, createdAt } = record
  return { ...(JSON.parse(record.value) as Notice), id, person, version, createdAt }
}

export function changed(notice: Notice, change: Partial<Notice>): Notice {
  return { ...notice, ...change, version: notice.version + 1 }
}

/** Undefined if this webhook is not subscribed to it. */
export function toldOf(notice: Notice, change: StoredChange): Told | undefined {
  if (change.collection !== "conversations" || change.operation === "delete") return undefined
  const row = parseRow("conversations", change.value)
  const news = row.news ?? null
  if (news === null || !notice.events.includes(news.event)) return undefined
  if (notice.agent !== null && notice.agent !== row.agent) return undefined
  const { event, ...about } = news
  switch (event) {
    case "turn.finished":
    case "ask.opened":
      return {
        type: event,
        timestamp: new Date(change.at).toISOString(),
        data: { agent: row.agent, branch: row.branch, title: row.title, ...about },
      }
    default:
      return unreachable(event)
  }
}

export function noticeView(notice: Notice, last: FiringView | null): NoticeView {
  const { id, name, url, events, agent, state, why, tries, retryAt, declared = false, createdAt } = notice
  return { id, name, url, events: [...events], agent, state, why, tries, retryAt, declared, createdAt, last }
}
