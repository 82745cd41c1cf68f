import type { CallSettings, Handler, InboxSchemas, Model, SlashCommandDefinition, Tool } from "@parlor/core"
import type { AiSdkModel } from "@parlor/models"
import type { ModelSettings, ReasoningEffort } from "@parlor/protocol"
import type { AcpOptions } from "./acp-options.ts"
import type { McpServerOptions } from "./mcp-options.ts"

/** The name of a model, such as `openai/gpt-5.6` or `demo`; a model of the AI SDK; or a model of your own. */
export type ModelChoice = string | Model | AiSdkModel

export type ShippedSkill = "quickstart"

/** What commands may use. Everything has a default. */
export type RunOptions = {
  /** `never` runs commands without asking. Default: `always`. */
  readonly approval?: "always" | "never"
  /** Default: none. */
  readonly network?: boolean
  /** Variables that commands see; nothing of the server's environment is passed on. */
  readonly env?: Readonly<Record<string, string>>
  /** Default: 60000. */
  readonly timeMs?: number
  /** Of all processes together. Default: 1 GiB. */
  readonly memoryBytes?: number
  /** Default: 128. */
  readonly processes?: number
  /** What one command may write. Default: 256 MiB. */
  readonly diskBytes?: number
  /** What one command may print. Default: 4 MiB. */
  readonly outputBytes?: number
}

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
  /** From 0 to 2. Default: the provider's own. */
  readonly temperature?: number
  /** Maximum length of a reply. Default: the provider's own. */
  readonly maxOutputTokens?: number
  /** How much the model thinks before it answers, if it can. */
  readonly reasoning?: ReasoningEffort
  /** Options of the AI SDK's providers, by provider: `{ openai: { serviceTier: "flex" } }`. */
  readonly providerOptions?: CallSettings["providerOptions"]
  /** Which of these people may change for their conversation. Default: all except `providerOptions`. */
  readonly personSettings?: readonly (keyof ModelSettings)[]
  /** For the model. Default: its name and its description. */
  readonly instructions?: string
  /** Hosts another program as this agent, instead of a model: Claude Code, Codex, opencode and others (HST-1). */
  readonly acp?: AcpOptions
  /** What it can do besides the built-in tools, made with `defineTool`. */
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
  /** How long the handler may be idle. Default: two minutes. */
  readonly handlerTimeoutMs?: number
  /** The built-in tools: ask_person, current_time. Default: true. */
  readonly standardTools?: boolean
  /** Whether it can read and write the person's memories. Default: true. */
  readonly memory?: boolean
  /** Whether it may schedule wakeups. Default: true. */
  readonly wakeups?: boolean
  /**
   * Whether it has a workspace: a folder of its own in each conversation. Or a folder of yours, relative to the config
   * file, that all its conversations work in. Default: true.
   */
  readonly workspace?: boolean | { readonly folder: string }
  /**
   * Whether it may run commands in its workspace, isolated from the machine. A person allows each one, unless you say
   * otherwise. Default: false.
   */
  readonly run?: boolean | RunOptions
  /** Which conversations with it are kept, for each person. Default: as the server is set, which keeps all. */
  readonly retention?: { readonly days?: number; readonly conversations?: number }
  /** Token budget of one conversation; beyond it the person is asked. */
  readonly budgetTokens?: number
  /** False: its conversations keep the first words as their title (ADR-13). */
  readonly titles?: boolean
  /** Token budget of one person in all their conversations with it; beyond it the person is asked. */
  readonly personBudgetTokens?: number
  /** Maximum number of messages the model sees. Default: as many as fit. */
  readonly maxMessages?: number
  /** What a stop does to queued messages. Default: hold. */
  readonly onStop?: "hold" | "drain" | "clear"
  /** What a failed turn does to queued messages. Default: a trigger's message is retried, a person's holds the queue. */
  readonly onError?: "hold" | "retry" | "continue"
  /** Whether a turn nobody is watching may wait for an answer. Default: false. */
  readonly asksWhenTriggered?: boolean
}
