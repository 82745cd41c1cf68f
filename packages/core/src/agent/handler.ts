/** What an agent's own code may do in a turn (CMP-8 to CMP-12). Implemented in `turn/handle.ts`. */
import type { Address, MessageId, MessageRow, TurnId } from "@parlor/protocol"
import type { Json } from "../ports/json.ts"
import type { Log } from "../ports/log.ts"
import type { ConversationAccess } from "./conversation-access.ts"
import type { MemoryAccess } from "./memory-access.ts"
import type { MessagesAccess } from "./messages-access.ts"
import type { ReplyInput } from "./reply-stream.ts"
import type { Skill } from "./skill.ts"
import type { SlashCommands } from "./slash-command.ts"
import type { Question, Tool } from "./tool.ts"
import type { HandlerWake, InboxSchemas } from "./wake.ts"
import type { WakeupAccess } from "./wakeup-access.ts"
import type { WorkspaceAccess } from "./workspace-access.ts"

/** May be async; the turn ends when it does. */
export type Handler<Inbox extends InboxSchemas = InboxSchemas> = (ctx: HandlerContext<Inbox>) => unknown

/** `HandlerContext` alone, without its message types, accepts the context of any agent: for helpers. */
export type HandlerContext<Inbox extends InboxSchemas = InboxSchemas> = ContextOf<HandlerWake<Inbox>>

/**
 * One turn, as the agent's code sees it. Calls are carried out one after another, in the order they were made, and each
 * is durable when its promise resolves.
 *
 * After a crash the handler runs again from the beginning. What it did through the context is not repeated: the first
 * `reply` finds the first reply in the log, and so on. Side effects elsewhere are the handler's own responsibility.
 */
interface ContextOf<out Wake extends HandlerWake> extends MessagesAccess {
  /** Why the handler was called: one message, one wake (CMP-9). */
  readonly wake: Wake
  /** The message of this turn in its current state. */
  readonly message: MessageRow
  readonly address: Address
  readonly turn: TurnId
  /** Aborted when the turn is stopped, taken over or timed out. */
  readonly signal: AbortSignal
  readonly log: Log
  now(): number
  /** The agent's skills. */
  readonly skills: readonly Skill[]
  readonly slashCommands: SlashCommands
  /** The messages so far. */
  readonly conversation: ConversationAccess
  readonly memory: MemoryAccess
  /** The files of this conversation. */
  readonly workspace: WorkspaceAccess
  /** Wakes this agent later, in this conversation (TRG-4). */
  readonly schedule: WakeupAccess

  /**
   * Runs the standard turn: skills, memory index, model, tools. A second call continues after what was replied and
   * inserted since; all runs of a turn share one step limit.
   */
  run(): Promise<Ran>
  /**
   * Replies without Parlor's model: with a text, or with a stream that is shown while it arrives. Returns the last
   * message and its text.
   */
  reply(reply: ReplyInput): Promise<Ran>
  /** Asks the person and waits; undefined if the ask expired or nobody is there to answer. */
  ask(question: Question | string): Promise<Json | undefined>
  /**
   * Gives the model material together with its origin. Inserting the same type, title and metadata twice changes
   * nothing. Before the first reply it belongs to the message; later it follows the latest reply.
   */
  insertContext(context: NewContext): Promise<void>
  /** Adds to the instructions of this turn. */
  instruct(text: string): void
  /** Adds a tool to this turn, or replaces the one with that name. */
  offer(tool: Tool): void
}

/** The result of a reply or of the standard turn: its last message and that message's text. */
export type Ran = { readonly message: MessageId; readonly text: string }

/** The type of context that is an instruction of the agent's author and not material (CMP-22). */
export const SKILL_CONTEXT = "skill"

export type NewContext = {
  /** What kind of material it is: search, file, …; `skill` for instructions that the author wrote. */
  readonly type: string
  readonly title: string
  readonly content: string
  /** Its origin. `command` names the slash command it replaces (CMP-13). */
  readonly metadata?: Json
}
