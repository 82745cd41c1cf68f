import type { Handler, InboxSchemas, Model, SlashCommand, Tool } from "@parlor/core"
import type { McpServerOptions } from "./mcp-options.ts"

/** An agent as its author writes it: a name, and whatever is to be different from the usual. */
export type AgentOptions<Inbox extends InboxSchemas = InboxSchemas> = {
  /** 1 to 64 of a-z, 0-9 and inner hyphens. */
  readonly name: string
  /** One line, for people who choose whom to talk to. */
  readonly description?: string
  /** `<provider>/<id>`, such as `openai/gpt-5.6`, or `demo`, or a model; the config's or the server's own, when left out. */
  readonly model?: string | Model
  /** Takes over when the model cannot be reached. */
  readonly fallback?: string | Model
  readonly instructions?: string
  readonly tools?: readonly Tool[]
  /** MCP servers that only this agent uses, by name. */
  readonly mcp?: Readonly<Record<string, McpServerOptions>>
  /** Slash commands. What one means is said by a skill of its name, by the handler, or by the model's good sense. */
  readonly commands?: readonly SlashCommand[]
  /** Messages it takes beside what is typed, by their type. */
  readonly inbox?: Inbox
  /** Folders of skills, from the config file on. */
  readonly skills?: readonly string[]
  /** The skills that come with Parlor: memory, quickstart. There, unless this is false. */
  readonly shippedSkills?: boolean
  /** Runs instead of the standard turn, which it calls with `ctx.run()`. */
  readonly handler?: Handler<Inbox>
  /** Woken when a conversation with it is made, beside `main`, which is always there. Not, when not said. */
  readonly wakeOnSpawn?: boolean
  /** How long the handler may do nothing with its turn. */
  readonly handlerTimeoutMs?: number
  /** Tools every agent has: ask_person, current_time. There, unless this is false. */
  readonly standardTools?: boolean
  /** Whether it knows the person's memories and can write them. It does, unless this is false. */
  readonly memory?: boolean
  /** Whether it may ask to be woken later. It may, unless this is false. */
  readonly wakeups?: boolean
  /** Whether it has files. It has, unless this is false. */
  readonly workspace?: boolean
  /** Tokens of one conversation before it asks to go on. */
  readonly budgetTokens?: number
  /** Tokens of one person, in all their conversations with it, before it asks to go on. */
  readonly personBudgetTokens?: number
  /** Messages the model is shown at most. */
  readonly maxMessages?: number
  /** What a stop does to waiting messages unless it says so itself. */
  readonly onStop?: "hold" | "drain" | "clear"
  /** Whether a turn nobody is watching may wait for an answer. */
  readonly asksWhenTriggered?: boolean
}
