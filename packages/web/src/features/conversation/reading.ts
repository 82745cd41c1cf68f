/** What a message of a timeline may need beyond its own row. The same object as long as the conversation is shown. */
import type { Conversation } from "@parlor/client"
import { createContext } from "react"

export type Reading = {
  readonly conversation: Conversation
  /** Which folds are open, by message and part: a message that comes back into view is as it was left. */
  readonly open: Set<string>
}

/** Undefined where messages are only shown. */
export const ReadingContext = createContext<Reading | undefined>(undefined)
