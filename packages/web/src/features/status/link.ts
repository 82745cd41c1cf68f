/**
 * The page's connection to its server, as shown to the person (TAB-13). Pure.
 *
 *   fine ──a break that lasts──▶ lost ──all live──▶ back ──a moment──▶ fine
 *
 * All streams of the page count: the feed and the conversation in front. A stream that is opening for the first time is
 * not lost.
 */
import type { Connection } from "@parlor/client"
import { t } from "../../texts/en/status.ts"

export type Link =
  | { readonly state: "fine" }
  /** `isOnline`: the machine has a network, so the server is unreachable. */
  | { readonly state: "lost"; readonly isOnline: boolean; readonly reconnectAt: number | null }
  | { readonly state: "back"; readonly since: number }

export const fine: Link = { state: "fine" }

export type Stream = {
  readonly connection: Connection
  /** When the next attempt starts; null while not waiting. */
  readonly reconnectAt: number | null
}

export type Sight = {
  readonly isOnline: boolean
  readonly streams: readonly Stream[]
  readonly at: number
}

/** How long "Back online" is shown. */
export const BACK_MS = 3_000

/** Returns the same object while nothing changes. */
export function followLink(before: Link, { isOnline, streams, at }: Sight): Link {
  const isBroken = !isOnline || streams.some(({ connection }) => connection === "offline")
  const isWhole = isOnline && streams.length > 0 && streams.every(({ connection }) => connection === "live")
  if (before.state === "lost" && isWhole) return { state: "back", since: at }
  if (before.state === "lost" || isBroken) {
    const reconnectAt = soonest(streams)
    const isSame = before.state === "lost" && before.isOnline === isOnline && before.reconnectAt === reconnectAt
    return isSame ? before : { state: "lost", isOnline, reconnectAt }
  }
  return before.state === "back" && at - before.since >= BACK_MS ? fine : before
}

function soonest(streams: readonly Stream[]): number | null {
  const times = streams.flatMap(({ reconnectAt }) => reconnectAt ?? [])
  return times.length === 0 ? null : Math.min(...times)
}

export type LinkWords = { readonly title: string; readonly detail: string }

export function linkWords(link: Link): LinkWords | undefined {
  switch (link.state) {
    case "fine":
      return undefined
    case "back":
      return { title: t("backOnline"), detail: t("everythingIsUpToDate") }
    case "lost":
      return link.isOnline
        ? { title: t("cantReachParlor"), detail: t("yourMessagesAreSavedAnd") }
        : { title: t("youreOffline"), detail: t("yourMessagesAreSavedAnd2") }
  }
}
