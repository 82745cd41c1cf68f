/**
 * News from the feed: an agent waits, a turn finished, or one failed. Pure.
 *
 * Each item is shown once. Anything from before the page was opened is old.
 */
import type { FeedNews, FeedRow } from "@parlor/protocol"
import { unreachable } from "@parlor/protocol"
import { t } from "../../texts/en/notify.ts"
import { addressOf, conversationOf } from "../place/place.ts"

export type NewsItem = {
  /** The same in every window. */
  readonly key: string
  readonly conversation: string
  readonly address: string
  readonly kind: "asks" | "failed" | "done"
  readonly title: string
  readonly body: string
}

/** The last seen news of each conversation. */
export type Seen = ReadonlyMap<string, string>

type Row = Pick<FeedRow, "agent" | "branch" | "title" | "news" | "asks" | "state" | "ephemeral">

export function newsIn(
  rows: readonly Row[],
  before: Seen | undefined,
): { readonly seen: Seen; readonly fresh: readonly NewsItem[] } {
  const seen = new Map<string, string>()
  const fresh: NewsItem[] = []
  for (const row of rows) {
    if (row.news === null) continue
    const conversation = conversationOf(row)
    const key = keyOf(row.news)
    seen.set(conversation, key)
    if (before === undefined || before.get(conversation) === key) continue
    const item = itemOf(row, row.news)
    if (item !== undefined) fresh.push(item)
  }
  return { seen, fresh }
}

/** The items that are still relevant: not answered, retried or viewed. */
export function stillOpen(
  items: readonly NewsItem[],
  rows: readonly Row[],
  front: string | undefined,
): readonly NewsItem[] {
  const left = items.filter((item) => {
    if (item.conversation === front) return false
    const row = rows.find((one) => conversationOf(one) === item.conversation)
    return row !== undefined && (item.kind === "asks" ? row.asks > 0 : row.state === "error")
  })
  return left.length === items.length ? items : left
}

const MAX_SHOWN = 4

/** Newest last, one per conversation, up to a limit. */
export function withNews(shown: readonly NewsItem[], fresh: readonly NewsItem[]): readonly NewsItem[] {
  if (fresh.length === 0) return shown
  const rest = shown.filter((one) => fresh.every((item) => item.conversation !== one.conversation))
  return [...rest, ...fresh].slice(-MAX_SHOWN)
}

function keyOf(news: FeedNews): string {
  return news.event === "ask.opened" ? news.ask : `${news.turn} ${news.state}`
}

function itemOf(row: Row, news: FeedNews): NewsItem | undefined {
  const { agent, branch } = row
  const whose = { key: keyOf(news), conversation: conversationOf(row), address: addressOf(agent, branch) }
  if (news.event === "ask.opened")
    return { ...whose, kind: "asks", title: asksWords(agent, news.kind), body: news.title }
  if (news.state === "failed")
    return {
      ...whose,
      kind: "failed",
      title: t("agentCouldntFinish", { agent }),
      body: row.title || t("openItToSeeWhy"),
    }
  // No news for a stop, which the person caused, or for a side chat, which is visible while it runs.
  if (news.state === "stopped" || row.ephemeral) return undefined
  return { ...whose, kind: "done", title: t("agentIsDone", { agent }), body: news.said || row.title }
}

function asksWords(agent: string, kind: Extract<FeedNews, { event: "ask.opened" }>["kind"]): string {
  switch (kind) {
    case "approval":
      return t("agentNeedsYourApproval", { agent })
    case "question":
      return t("agentHasAQuestionFor", { agent })
    case "form":
      return t("agentNeedsSomeInformationFrom", { agent })
    default:
      return unreachable(kind)
  }
}
