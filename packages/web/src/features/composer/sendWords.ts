/** What sending will do, shown in advance (TAB-9). Pure. */
import type { QueueRow, StatusRow } from "@parlor/protocol"
import { unreachable } from "@parlor/protocol"
import type { BusyMode } from "./busyMode.ts"

export type Outlook =
  /** It starts a reply at once. */
  | { readonly kind: "start"; readonly releases: boolean }
  /** It is queued; while a turn runs it could steer the current reply instead. */
  | { readonly kind: "queue"; readonly why: "writing" | "asked" | "line"; readonly canSteer: boolean }

/** What a key does. */
export type Act = "send" | "queue" | "steer"
export type Plan = { readonly enter: Act; readonly other: Act | undefined }

type Status = Pick<StatusRow, "state" | "held" | "turn">

/** Mirrors the server's rule, which decides. */
export function outlookOf(status: Status | null | undefined, queue: readonly Pick<QueueRow, "mode">[]): Outlook {
  if (!status) return { kind: "start", releases: false }
  const canSteer = status.turn !== null
  if (status.state === "waiting") return { kind: "queue", why: "asked", canSteer }
  if (status.state === "busy" || status.state === "retrying") return { kind: "queue", why: "writing", canSteer }
  const isInLine = queue.some(({ mode }) => mode !== "paused")
  if (status.held === null && isInLine) return { kind: "queue", why: "line", canSteer: false }
  return { kind: "start", releases: status.held !== null && isInLine }
}

/** What Enter does, and what Enter with Ctrl or ⌘ does instead. */
export function planOf(outlook: Outlook, chosen: BusyMode): Plan {
  if (outlook.kind === "start") return { enter: "send", other: undefined }
  if (!outlook.canSteer) return { enter: "queue", other: undefined }
  return chosen === "queue" ? { enter: "queue", other: "steer" } : { enter: "steer", other: "queue" }
}

/** The label of the send button. */
export function actName(act: Act): string {
  switch (act) {
    case "send":
      return "Send"
    case "queue":
      return "Queue"
    case "steer":
      return "Add to current reply"
    default:
      return unreachable(act)
  }
}

export function sendWords(agent: string, outlook: Outlook, plan: Plan, isEmpty: boolean): string {
  if (outlook.kind === "start")
    return outlook.releases ? "Enter to send now and resume the queue" : "Enter to send, Shift+Enter for a new line"
  if (plan.enter === "steer")
    return isEmpty
      ? `${agent} is replying: your message will be added to the reply`
      : "Enter to add this to the current reply"
  if (outlook.why === "asked")
    return isEmpty ? `${agent} is waiting for your answer above` : "Enter to queue this; answer the question above"
  if (outlook.why === "line") return "Enter to queue this behind the others"
  return isEmpty ? `${agent} is replying: your message will be queued` : "Enter to queue this until the reply is done"
}

/** The alternative action. */
export function otherWords(plan: Plan): string | undefined {
  if (plan.other === undefined) return undefined
  return plan.other === "steer" ? "to add it to the current reply" : "to queue it"
}

/** The name of the key, as it is on this machine's keyboard. */
export function otherKey(platform: string): string {
  return /mac|iphone|ipad/i.test(platform) ? "⌘ Enter" : "Ctrl+Enter"
}
