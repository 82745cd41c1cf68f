/**
 * What is new in the feed and concerns the person: an agent waits for them, an answer is done, one failed. Pure.
 *
 * Each piece of news is told once. What was there when the page came is old.
 */
import type { FeedNews, FeedRow } from "@parlor/protocol"
import { unreachable } from "@parlor/protocol"
import { addressOf, conversationOf } from "../place/place.ts"

export type NewsItem = {
  /** One per piece of news, in every window. */
  readonly key: string
  readonly conversation: string
  readonly address: string
  readonly kind: "asks" | "failed" | "done"
  readonly title: string
  readonly body: string
}

/** The news last seen of each conversation. */
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

/** The items of what still waits: nobody has answered it, tried again or looked at it here. */
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

const MOST_SHOWN = 4

/** Newest last, one for each conversation, and not too many. */
export function withNews(shown: readonly NewsItem[], fresh: readonly NewsItem[]): readonly NewsItem[] {
  if (fresh.length === 0) return shown
  const rest = shown.filter((one) => fresh.every((item) => item.conversation !== one.conversation))
  return [...rest, ...fresh].slice(-MOST_SHOWN)
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
    return { ...whose, kind: "failed", title: `${agent} could not finish`, body: row.title || "Open it to see why." }
  // A stop is the person's own, and what is asked aside is looked at while it is answered.
  if (news.state === "stopped" || row.ephemeral) return undefined
  return { ...whose, kind: "done", title: `${agent} is done`, body: news.said || row.title }
}

function asksWords(agent: string, kind: Extract<FeedNews, { event: "ask.opened" }>["kind"]): string {
  switch (kind) {
    case "approval":
      return `${agent} waits for your approval`
    case "question":
      return `${agent} asks you something`
    case "form":
      return `${agent} needs a few things from you`
    default:
      return unreachable(kind)
  }
}
