import type { MessageRow } from "@parlor/protocol"
import { createContext } from "react"

/** The actions of a message. The same object while the conversation is in front. */
export type MessageActs = {
  readonly rollBack: (message: MessageRow, edit: boolean) => void
  readonly cancel: (rollback: string) => void
  readonly branch: (message: MessageRow, ephemeral: boolean) => void
}

/** Undefined where messages are read-only. */
export const ActsContext = createContext<MessageActs | undefined>(undefined)
