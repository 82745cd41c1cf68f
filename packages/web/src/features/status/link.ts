/**
 * The page's connection to its server, as a person is told of it (TAB-13). Pure.
 *
 *   fine ──a break that lasts──▶ lost ──all live──▶ back ──a moment──▶ fine
 *
 * Every stream of the page counts: the list at the side and the conversation in front. A stream that is only being
 * opened for the first time is no break.
 */
import type { Connection } from "@parlor/client"

export type Link =
  | { readonly state: "fine" }
  /** `isOnline`: the machine has a network, so it is the server that is not there. */
  | { readonly state: "lost"; readonly isOnline: boolean; readonly reconnectAt: number | null }
  | { readonly state: "back"; readonly since: number }

export const fine: Link = { state: "fine" }

export type Stream = {
  readonly connection: Connection
  /** When it is tried again; null while it is not waited for. */
  readonly reconnectAt: number | null
}

export type Sight = {
  readonly isOnline: boolean
  readonly streams: readonly Stream[]
  readonly at: number
}

/** How long it is said that the connection is back. */
export const BACK_MS = 3_000

/** The same object while nothing changes. */
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
      return { title: "Back online", detail: "Everything is up to date." }
    case "lost":
      return link.isOnline
        ? { title: "Parlor cannot be reached", detail: "What you write is kept and goes out when it is back." }
        : { title: "You are offline", detail: "What you write is kept and goes out when the connection is back." }
  }
}
