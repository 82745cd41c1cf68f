/** The rows below the messages: asks, retry, error, unsent messages and the thinking indicator. Pure. */
import type { LiveState, PendingSend } from "@parlor/client"
import { hasContent, opensGroup } from "../message/messageView.ts"
import { speakerOf } from "../message/speaker.ts"

export type Below =
  | { readonly kind: "asks"; readonly key: "asks" }
  | { readonly kind: "retry"; readonly key: "retry" }
  | { readonly kind: "problem"; readonly key: "problem" }
  | { readonly kind: "send"; readonly key: string; readonly text: string }
  | { readonly kind: "thinking"; readonly key: "thinking"; readonly author: string; readonly named: boolean }

export type BelowScene = {
  readonly state: LiveState | undefined
  readonly spoken: readonly PendingSend[]
  readonly hasAsks: boolean
  /** Whether the browser has a network. Without one, nobody can be seen to think. */
  readonly isOnline?: boolean
}

export function belowMessages({ state, spoken, hasAsks, isOnline = true }: BelowScene): readonly Below[] {
  const status = state?.status?.state
  const items: Below[] = []
  if (hasAsks) items.push({ kind: "asks", key: "asks" })
  if (status === "retrying") items.push({ kind: "retry", key: "retry" })
  if (status === "error") items.push({ kind: "problem", key: "problem" })
  for (const { key, text } of spoken) items.push({ kind: "send", key: `send ${key}`, text })
  if (isOnline && isThinking(state, spoken)) {
    const author = speakerOf(state)
    const named = spoken.length > 0 || opensGroup({ role: "agent", author }, state?.messages.at(-1))
    items.push({ kind: "thinking", key: "thinking", author, named })
  }
  return items
}

function isThinking(state: LiveState | undefined, spoken: readonly PendingSend[]): boolean {
  if (state?.connection !== "live") return false
  if (spoken.length > 0) return true
  const { status } = state
  if (status?.state !== "busy" || status.busyWith === "rollback") return false
  const last = state.messages.at(-1)
  return last?.role === "person" || (last !== undefined && last.state !== "streaming" && hasContent(last))
}
