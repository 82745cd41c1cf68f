/** How an agent's own code talks to other agents (COD-5). */
import type { MessageId } from "@parlor/protocol"
import type { Json } from "../ports/json.ts"

/** A text, or a message of a type that the other agent declared. */
export type AgentMessage = { readonly text: string } | { readonly type: string; readonly payload: Json }

export interface MessagesAccess {
  /** Sends a message to another conversation of the same person. `branch`: `main` by default. */
  send(to: { readonly agent: string; readonly branch?: string }, message: AgentMessage): Promise<SentToAgent>
  /** Creates a conversation of the same person and sends its first message. Without a branch, a name is chosen. */
  spawn(as: { readonly agent: string; readonly branch?: string }, message: AgentMessage): Promise<SentToAgent>
  /**
   * Wakes this agent once, in this conversation, when another conversation of the same person has ended its work, or a
   * file there has changed. For at most a week. Returns an id.
   */
  observe(what: Observed): Promise<string>
}

export type Observed = {
  readonly agent: string
  /** `main` by default. */
  readonly branch?: string
  /** A file of that conversation's workspace; without it, the conversation itself. */
  readonly file?: string
  /** What this agent is told then. */
  readonly prompt?: string
}

export type SentToAgent = {
  readonly agent: string
  readonly branch: string
  readonly message: MessageId
  /** Whether its turn started, or it waits in the queue. */
  readonly outcome: "started" | "queued"
}
