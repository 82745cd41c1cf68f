/** The conversation as an agent's own code sees it (COD-3). It can be read, not changed. */
import type { Address, MessageRow } from "@parlor/protocol"

export interface ConversationAccess {
  readonly address: Address
  /**
   * The messages of this conversation that a model would see: in order, without those that were rolled back or that a
   * chapter summarizes.
   */
  messages(options?: { readonly last?: number }): readonly MessageRow[]
  /** The summary of the messages before these, if they were compacted. */
  summary(): string | undefined
  /** The same as plain text, in the form that most AI libraries accept. It ends with the message to answer. */
  transcript(): readonly TranscriptMessage[]
}

export type TranscriptMessage = { readonly role: "user" | "assistant"; readonly content: string }
