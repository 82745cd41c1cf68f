/** What sending will do, shown in advance (TAB-9). Pure. */
import type { AskRow, QueueRow, StatusRow } from "@parlor/protocol"
import { unreachable } from "@parlor/protocol"
import { t } from "../../texts/en/composer.ts"
import type { BusyMode } from "./busyMode.ts"

export type Outlook =
  /** It starts a reply at once. */
  | { readonly kind: "start"; readonly releases: boolean }
  /** It is queued; while a turn runs it could steer the current reply instead. */
  | { readonly kind: "queue"; readonly why: "writing" | "asked" | "line"; readonly canSteer: boolean }
  /** It answers the open question. */
  | { readonly kind: "answer" }

/** What a key does. */
export type Act = "send" | "queue" | "steer" | "answer"
export type Plan = { readonly enter: Act; readonly other: Act | undefined }

type Status = Pick<StatusRow, "state" | "held" | "turn">

/** Mirrors the server's rule, which decides. */
export function outlookOf(
  status: Status | null | undefined,
  queue: readonly Pick<QueueRow, "mode">[],
  asks: readonly Pick<AskRow, "kind">[] = [],
): Outlook {
  if (!status) return { kind: "start", releases: false }
  const canSteer = status.turn !== null
  if (status.state === "waiting" && asks.length === 1 && asks[0]?.kind === "question") return { kind: "answer" }
  if (status.state === "waiting") return { kind: "queue", why: "asked", canSteer }
  if (status.state === "busy" || status.state === "retrying") return { kind: "queue", why: "writing", canSteer }
  const isInLine = queue.some(({ mode }) => mode !== "paused")
  if (status.held === null && isInLine) return { kind: "queue", why: "line", canSteer: false }
  return { kind: "start", releases: status.held !== null && isInLine }
}

/** What Enter does, and what Enter with Ctrl or ⌘ does instead. */
export function planOf(outlook: Outlook, chosen: BusyMode): Plan {
  if (outlook.kind === "start") return { enter: "send", other: undefined }
  if (outlook.kind === "answer") return { enter: "answer", other: "queue" }
  if (!outlook.canSteer) return { enter: "queue", other: undefined }
  return chosen === "queue" ? { enter: "queue", other: "steer" } : { enter: "steer", other: "queue" }
}

/** The label of the send button. */
export function actName(act: Act): string {
  switch (act) {
    case "send":
      return t("send")
    case "queue":
      return t("queue")
    case "steer":
      return t("addToCurrentReply")
    case "answer":
      return t("answer")
    default:
      return unreachable(act)
  }
}

export function sendWords(agent: string, outlook: Outlook, plan: Plan, isEmpty: boolean): string {
  if (outlook.kind === "start") return outlook.releases ? t("enterToSendNowAnd") : t("enterToSendShiftEnter")
  if (outlook.kind === "answer") return isEmpty ? t("agentIsWaitingForYour", { agent }) : t("enterToAnswerTheQuestion")
  if (plan.enter === "steer") return isEmpty ? t("agentIsReplyingYourMessage", { agent }) : t("enterToAddThisTo")
  if (outlook.why === "asked") return isEmpty ? t("agentIsWaitingForYour2", { agent }) : t("enterToQueueThisAnswer")
  if (outlook.why === "line") return t("enterToQueueThisBehind")
  return isEmpty ? t("agentIsReplyingYourMessage2", { agent }) : t("enterToQueueThisUntil")
}

/** The alternative action. */
export function otherWords(plan: Plan): string | undefined {
  if (plan.other === undefined) return undefined
  return plan.other === "steer" ? t("toAddItToThe") : t("toQueueIt")
}

/** The name of the key, as it is on this machine's keyboard. */
export function otherKey(platform: string): string {
  return /mac|iphone|ipad/i.test(platform) ? "⌘ Enter" : t("ctrlEnter")
}
