/** Labels of tabs. Pure. */
import type { FeedRow } from "@parlor/protocol"
import { t } from "../../texts/en/tab.ts"
import { clockText } from "../../texts/format.ts"
import { type Capsule, capsuleWords } from "./capsules.ts"
import type { Tab } from "./tabList.ts"

/** What the row of a conversation says besides its title, for screen readers. */
export function tabNotes(tab: Tab, capsules: readonly Capsule[], defaultAgent: string): readonly string[] {
  const whose = tab.agent === defaultAgent ? [] : [t("withAgent", { agent: tab.agent })]
  const draft = tab.row === undefined ? [t("draft")] : []
  const labels = tab.row?.labels ?? []
  return [...whose, ...draft, ...labels, ...capsules.map(capsuleWords)]
}

/** The line above outdated or missing messages (TAB-4). */
export function openingWords(
  asOf: number | undefined,
  row: Pick<FeedRow, "queued" | "asks" | "latestFile"> | undefined,
): string | undefined {
  const sums = row === undefined ? [] : summaries(row)
  if (asOf === undefined) return sums.length === 0 ? undefined : t("loadingValue", { value: sums.join(", ") })
  return [t("asOfClockLoadingNew", { clock: clock(asOf) }), ...(sums.length === 0 ? [] : [`${sums.join(", ")}.`])].join(
    " ",
  )
}

function summaries({ queued, asks, latestFile }: Pick<FeedRow, "queued" | "asks" | "latestFile">): readonly string[] {
  return [
    ...(asks > 0 ? [t("questions", { count: asks })] : []),
    ...(queued > 0 ? [t("queuedInTheQueue", { queued })] : []),
    ...(latestFile === null ? [] : [t("latestFileLatestfile", { latestFile })]),
  ]
}

export function clock(at: number): string {
  return clockText(at)
}

/** The window title: the number of tabs that need the person, then the title in front. */
export function windowTitle(shown: string, needing: number): string {
  return `${needing > 0 ? `(${needing}) ` : ""}${shown} · Parlor`
}
