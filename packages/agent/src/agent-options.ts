import type { CallSettings, Handler, InboxSchemas, Model, SlashCommandDefinition, Tool } from "@parlor/core"
import type { AiSdkModel } from "@parlor/models"
import type { ModelSettings, ReasoningEffort } from "@parlor/protocol"
import type { McpServerOptions } from "./mcp-options.ts"

/** The name of a model, such as `openai/gpt-5.6` or `demo`; a model of the AI SDK; or a model of your own. */
export type ModelChoice = string | Model | AiSdkModel

export type ShippedSkill = "quickstart"

/** An agent as its author writes it: a name, and everything that differs from the defaults. */
export type AgentOptions<Inbox extends InboxSchemas = InboxSchemas> = {
  /** 1 to 64 lowercase letters, digits and inner hyphens. */
  readonly name: string
  /** One line, for people who choose an agent. */
  readonly description?: string
  /** Default: the config's or the server's model. */
  readonly model?: ModelChoice
  /** Take over in order when the model cannot answer. */
  readonly fallback?: ModelChoice | readonly ModelChoice[]
  /** Other models that people may choose for a conversation; `openai/*` and `local/*` stand for several. */
  readonly models?: readonly ModelChoice[]
  readonly temperature?: number
  readonly maxOutputTokens?: number
  /** How much the model thinks before it answers, if it can. */
  readonly reasoning?: ReasoningEffort
  /** Options of the AI SDK's providers, by provider: `{ openai: { serviceTier: "flex" } }`. */
  readonly providerOptions?: CallSettings["providerOptions"]
  /** Which of these people may change for their conversation. Default: all except `providerOptions`. */
  readonly personSettings?: readonly (keyof ModelSettings)[]
  readonly instructions?: string
  readonly tools?: readonly Tool[]
  /** MCP servers that only this agent uses, by name. */
  readonly mcp?: Readonly<Record<string, McpServerOptions>>
  /** Slash commands. A skill of the same name, the handler, or the model decides what one does. */
  readonly slashCommands?: readonly SlashCommandDefinition[]
  /** Schemas of other messages it accepts, by type. */
  readonly inbox?: Inbox
  /** Folders of skills, relative to the config file. */
  readonly skills?: readonly string[]
  /** Skills that ship with Parlor, by name; true means all of them. Default: none (CMP-18). */
  readonly shippedSkills?: boolean | readonly ShippedSkill[]
  /** Runs instead of the standard turn, which it calls with `ctx.run()`. */
  readonly handler?: Handler<Inbox>
  /** Whether it is woken when a conversation other than `main` is created. Default: false. */
  readonly wakeOnSpawn?: boolean
  /** How long the handler may be idle. */
  readonly handlerTimeoutMs?: number
  /** The built-in tools: ask_person, current_time. Default: true. */
  readonly standardTools?: boolean
  /** Whether it can read and write the person's memories. Default: true. */
  readonly memory?: boolean
  /** Whether it may schedule wakeups. Default: true. */
  readonly wakeups?: boolean
  /** Whether it has a workspace. Default: true. */
  readonly workspace?: boolean
  /** Token budget of one conversation; beyond it the person is asked. */
  readonly budgetTokens?: number
  /** Token budget of one person in all their conversations with it; beyond it the person is asked. */
  readonly personBudgetTokens?: number
  /** Maximum number of messages the model sees. */
  readonly maxMessages?: number
  /** What a stop does to queued messages by default. */
  readonly onStop?: "hold" | "drain" | "clear"
  /** What a failed turn does to queued messages. Default: a trigger's message is retried, a person's holds the queue. */
  readonly onError?: "hold" | "retry" | "continue"
  /** Whether a turn nobody is watching may wait for an answer. */
  readonly asksWhenTriggered?: boolean
}
