import type { MessageRow } from "@parlor/protocol"
import { createContext } from "react"

/** What can be done about a message besides reading it. The same object as long as the conversation is in front. */
export type MessageActs = {
  readonly rollBack: (message: MessageRow, edit: boolean) => void
  readonly cancel: (rollback: string) => void
  readonly branch: (message: MessageRow, ephemeral: boolean) => void
}

/** Undefined where messages are only shown. */
export const ActsContext = createContext<MessageActs | undefined>(undefined)
