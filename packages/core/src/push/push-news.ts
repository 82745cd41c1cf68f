/** What is pushed of what happened, and what of it a device is told. Pure. */
import { limits, type PushNote } from "@parlor/protocol"
import type { Announced } from "../log/log-access.ts"
import { excerpt } from "../text/excerpt.ts"

/** With everything that a device may be told; undefined if it concerns nobody who is away (APP-8). */
export type News = Omit<PushNote, "needing"> & { readonly text: string }

export function newsOf({ row, news, isWatched }: Announced): News | undefined {
  const { agent, branch } = row
  if (news.event === "ask.opened")
    return { kind: "asks", ask: news.kind, key: news.ask, agent, branch, text: news.title }
  if (isWatched || news.state === "stopped") return undefined
  const key = `${news.turn} ${news.state}`
  // What is tried again by itself needs nobody yet.
  if (news.state === "failed")
    return news.retryAt === undefined ? { kind: "failed", key, agent, branch, text: row.title } : undefined
  return row.ephemeral ? undefined : { kind: "done", key, agent, branch, text: news.said || row.title }
}

/** Text only where the person wants it (APP-9). */
export function noteFor(news: News, needing: number, { showsText }: { readonly showsText: boolean }): PushNote {
  const { text: whole, ...rest } = news
  const text = excerpt(whole, limits.previewLength)
  return { ...rest, ...(showsText && text !== "" ? { text } : {}), needing }
}
