/** What a message of a timeline may need beyond its own row. The same object as long as the conversation is shown. */
import type { Conversation } from "@parlor/client"
import { createContext } from "react"
import type { Folds } from "./folds.ts"

export type Reading = {
  readonly conversation: Conversation
  readonly folds: Folds
}

/** Undefined where messages are only shown. */
export const ReadingContext = createContext<Reading | undefined>(undefined)
