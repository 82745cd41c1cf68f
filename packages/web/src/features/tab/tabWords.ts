/** Labels of tabs. Pure. */
import type { FeedRow } from "@parlor/protocol"
import { type Capsule, capsuleWords } from "./capsules.ts"
import { type Tab, titleOf } from "./tabList.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

/** How long ago, in short form. */
export function agoWords(at: number, now: number): string {
  const ago = now - at
  if (ago < MINUTE_MS) return "now"
  if (ago < HOUR_MS) return `${Math.floor(ago / MINUTE_MS)}m`
  if (ago < DAY_MS) return `${Math.floor(ago / HOUR_MS)}h`
  if (ago < WEEK_MS) return `${Math.floor(ago / DAY_MS)}d`
  return new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short" })
}

/** Everything the row shows, as one label. */
export function tabLabel(tab: Tab, capsules: readonly Capsule[]): string {
  const title = titleOf(tab)
  const whose = title.startsWith(tab.agent) ? [] : [tab.agent]
  const marks = tab.row?.pinned === true ? ["pinned"] : []
  return [title, ...whose, ...marks, ...capsules.map(capsuleWords)].join(", ")
}

/** The line above outdated or missing messages (TAB-4). */
export function openingWords(
  asOf: number | undefined,
  row: Pick<FeedRow, "queued" | "asks" | "latestFile"> | undefined,
): string | undefined {
  const sums = row === undefined ? [] : summaries(row)
  if (asOf === undefined) return sums.length === 0 ? undefined : `Loading. ${sums.join(", ")}.`
  return [`As of ${clock(asOf)}, loading new messages…`, ...(sums.length === 0 ? [] : [`${sums.join(", ")}.`])].join(
    " ",
  )
}

function summaries({ queued, asks, latestFile }: Pick<FeedRow, "queued" | "asks" | "latestFile">): readonly string[] {
  return [
    ...(asks > 0 ? [asks === 1 ? "One question for you" : `${asks} questions for you`] : []),
    ...(queued > 0 ? [`${queued} in the queue`] : []),
    ...(latestFile === null ? [] : [`latest file ${latestFile}`]),
  ]
}

export function clock(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })
}

/** The window title: the number of tabs that need the person, then the title in front. */
export function windowTitle(shown: string, needing: number): string {
  return `${needing > 0 ? `(${needing}) ` : ""}${shown} · Parlor`
}
