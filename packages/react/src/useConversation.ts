import type { Conversation, LiveState } from "@parlor/client"
import { useMemo, useSyncExternalStore } from "react"
import type { Commands } from "./commands.ts"
import { useShared } from "./provider.ts"

export type ConversationView = LiveState &
  Commands & {
    /** Requests that are not part of the live view: files, branches, attachments, … */
    readonly conversation: Conversation
  }

/**
 * The state and the commands of a conversation, kept current. Components with the same address share one live view
 * (API-51). The result is the same object until something changes, and the commands never change.
 */
export function useConversation(agent: string, branch?: string): ConversationView {
  const { view, commands, conversation } = useShared(agent, branch)
  const state = useSyncExternalStore(view.subscribe, view.getState, view.getServerState)
  return useMemo(() => ({ ...state, ...commands, conversation }), [state, commands, conversation])
}
