import type { MessageRow } from "@parlor/protocol"
import { createContext } from "react"

/** The actions of a message. The same object while the conversation is in front. */
export type MessageActs = {
  readonly rollBack: (message: MessageRow) => void
  readonly cancel: (rollback: string) => void
  readonly branch: (message: MessageRow, ephemeral: boolean) => void
  /** Opens the message for editing, in its place. */
  readonly edit: (message: MessageRow) => void
  /** Sends the question of this reply, or this message, again: a new version of it (MSG-4). */
  readonly tryAgain: (message: MessageRow) => void
  /** Null takes it back. */
  readonly rate: (message: MessageRow, feedback: "up" | "down" | null) => void
  /** Continues a stopped reply. */
  readonly proceed: () => void
}

/** Undefined where messages are read-only. */
export const ActsContext = createContext<MessageActs | undefined>(undefined)

/** The message being edited in its place. */
export type MessageEdit = {
  readonly message: string
  /** The text so far; kept while its row is scrolled out of view. */
  readonly text: { current: string }
  /** Sends the edited text; `files`: files go back to their earlier versions too. */
  readonly send: (text: string, files: boolean) => Promise<void>
  readonly cancel: () => void
}

export const EditContext = createContext<MessageEdit | undefined>(undefined)
