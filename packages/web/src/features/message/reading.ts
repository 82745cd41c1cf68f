/** What a message needs beyond its own row. The same object while the conversation is shown. */
import type { Conversation } from "@parlor/client"
import { createContext } from "react"
import type { Folds } from "./folds.ts"

export type Reading = {
  readonly conversation: Conversation
  readonly folds: Folds
}

/** Undefined where messages are read-only. */
export const ReadingContext = createContext<Reading | undefined>(undefined)
