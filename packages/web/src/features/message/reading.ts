/** What a message needs beyond its own row. The same object while the conversation is shown. */
import type { Conversation } from "@parlor/client"
import { createContext } from "react"
import type { Folds } from "./folds.ts"

export type Reading = {
  readonly conversation: Conversation
  readonly folds: Folds
}

/** Tool calls with an open ask: the card of the ask stands for them (ASK-1). */
export const AskedContext = createContext<ReadonlySet<string>>(new Set())

/** Undefined where messages are read-only. */
export const ReadingContext = createContext<Reading | undefined>(undefined)
