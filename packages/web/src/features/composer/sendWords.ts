/** What sending will do, said before it is done (TAB-9). Pure. */
import type { QueueRow, StatusRow } from "@parlor/protocol"
import { unreachable } from "@parlor/protocol"
import type { BusyMode } from "./busyMode.ts"

export type Outlook =
  /** It starts an answer at once. */
  | { readonly kind: "start"; readonly releases: boolean }
  /** It waits in the queue; with a turn running it could join the answer instead. */
  | { readonly kind: "queue"; readonly why: "writing" | "asked" | "line"; readonly canSteer: boolean }

/** What a key does. */
export type Act = "send" | "queue" | "steer"
export type Plan = { readonly enter: Act; readonly other: Act | undefined }

type Status = Pick<StatusRow, "state" | "held" | "turn">

/** The server decides; this is the same rule, to say beforehand what it will be. */
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

/** What the button that sends is called. */
export function actName(act: Act): string {
  switch (act) {
    case "send":
      return "Send"
    case "queue":
      return "Queue"
    case "steer":
      return "Join the answer"
    default:
      return unreachable(act)
  }
}

export function sendWords(agent: string, outlook: Outlook, plan: Plan, isEmpty: boolean): string {
  if (outlook.kind === "start")
    return outlook.releases
      ? "Enter sends this now; the queue goes on after it"
      : "Enter sends, Shift+Enter makes a new line"
  if (plan.enter === "steer")
    return isEmpty ? `${agent} is busy: what you send will join the answer` : "Enter lets this join the answer"
  if (outlook.why === "asked")
    return isEmpty ? `${agent} waits for your answer above` : "Enter queues this; the answer goes above"
  if (outlook.why === "line") return "Enter queues this behind what waits"
  return isEmpty ? `${agent} is busy: what you send will queue` : "Enter queues this for when the reply is done"
}

/** The other one, one key away. */
export function otherWords(plan: Plan): string | undefined {
  if (plan.other === undefined) return undefined
  return plan.other === "steer" ? "lets it join the answer" : "queues it"
}

/** The name of the key, as it is on this machine's keyboard. */
export function otherKey(platform: string): string {
  return /mac|iphone|ipad/i.test(platform) ? "⌘ Enter" : "Ctrl+Enter"
}
