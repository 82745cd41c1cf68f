/** The state labels of a background tab, from its feed row (TAB-6). Pure. */
import { type FeedRow, needsYou, unreachable } from "@parlor/protocol"
import { t } from "../../texts/en/tab.ts"

export type Capsule =
  | { readonly kind: "running" | "needs-you" | "failed" | "done" | "unread" }
  | { readonly kind: "queued"; readonly count: number; readonly held: boolean }

type Shown = Pick<FeedRow, "state" | "held" | "queued" | "asks" | "unread">

/** Most urgent first. The tab in front needs none. */
export function capsulesOf(row: Shown, isInFront: boolean): readonly Capsule[] {
  const capsules: Capsule[] = []
  if (needsYou(row)) capsules.push({ kind: "needs-you" })
  if (row.state === "error") capsules.push({ kind: "failed" })
  if (row.state === "busy" || row.state === "retrying") capsules.push({ kind: "running" })
  if (row.queued > 0) capsules.push({ kind: "queued", count: row.queued, held: row.held })
  if (isInFront || !row.unread) return capsules
  return [...capsules, row.state === "idle" ? { kind: "done" } : { kind: "unread" }]
}

export function capsuleWords(capsule: Capsule): string {
  switch (capsule.kind) {
    case "running":
      return t("running")
    case "needs-you":
      return t("needsYou")
    case "failed":
      return t("failed")
    case "done":
      return t("doneUnread")
    case "unread":
      return t("unread")
    case "queued":
      return t(capsule.held ? "queuedPaused" : "queuedCount", { count: capsule.count })
    default:
      return unreachable(capsule)
  }
}
