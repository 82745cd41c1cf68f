/** What an agent's own code may do in a turn (CMP-8 to CMP-12). `turn/handle.ts` carries it out. */
import type { Address, MessageId, MessageRow, TurnId } from "@parlor/protocol"
import type { Json } from "../ports/json.ts"
import type { Log } from "../ports/log.ts"
import type { MemoryAccess } from "./memory-access.ts"
import type { Skill } from "./skill.ts"
import type { SlashCommands } from "./slash-command.ts"
import type { Question, Tool } from "./tool.ts"
import type { InboxSchemas, Wake } from "./wake.ts"
import type { WakeupAccess } from "./wakeup-access.ts"
import type { WorkspaceAccess } from "./workspace-access.ts"

/** It may be async; the turn ends when it has. */
export type Handler<Inbox extends InboxSchemas = InboxSchemas> = (ctx: HandlerContext<Inbox>) => unknown

/**
 * One turn, as its agent's code sees it. What is done through it is done one after another, in the order it was asked
 * for, and is durable when its promise resolves.
 *
 * After a crash the handler runs from its beginning once more. What it did through the context is not done again: the
 * first `reply` finds the first reply of the log, and so on. What it did elsewhere is its own business.
 */
export interface HandlerContext<Inbox extends InboxSchemas = InboxSchemas> {
  /** Why it is called: one message, one wake (CMP-9). */
  readonly wake: Wake<Inbox>
  /** The message of this turn, as it is now. */
  readonly message: MessageRow
  readonly address: Address
  readonly turn: TurnId
  /** Aborted when the turn is stopped, taken over, or has taken too long. */
  readonly signal: AbortSignal
  readonly log: Log
  now(): number
  /** The agent's skills. */
  readonly skills: readonly Skill[]
  readonly slashCommands: SlashCommands
  readonly memory: MemoryAccess
  /** The files of this conversation. */
  readonly workspace: WorkspaceAccess
  /** Wakes this agent later, in this conversation (TRG-4). */
  readonly schedule: WakeupAccess

  /**
   * Runs the standard turn: skills, memory index, model, tools. A second time it goes on after what was said and
   * inserted since; all of a turn's runs together have as many steps as one.
   */
  run(): Promise<Ran>
  /** Says something without a model. */
  reply(text: string): Promise<void>
  /** Asks the person and waits; undefined when it expired or nobody is there to ask. */
  ask(question: Question | string): Promise<Json | undefined>
  /**
   * Gives the model something to look at, with where it is from. The same type, title and metadata a second time
   * changes nothing. Before anything was said it belongs to the message, afterwards it comes after what was said.
   */
  insertContext(context: NewContext): Promise<void>
  /** Adds to the instructions of this turn. */
  instruct(text: string): void
  /** Adds a tool to this turn, or replaces the one of its name. */
  offer(tool: Tool): void
}

/** What the standard turn came to: its last message, and the text of it. */
export type Ran = { readonly message: MessageId; readonly text: string }

export type NewContext = {
  /** What kind of material it is: skill, search, file, … */
  readonly type: string
  readonly title: string
  readonly content: string
  /** Where it is from. `command` names the slash command it stands for (CMP-13). */
  readonly metadata?: Json
}
