/** What an agent is: a name, a model, instructions, tools. */
import type { ModelSettings, SlashCommandRow } from "@parlor/protocol"
import type { Harness } from "../ports/harness.ts"
import type { CallSettings, Model, ModelOffer } from "../ports/model.ts"
import type { Handler } from "./handler.ts"
import type { RunSettings } from "./run-settings.ts"
import type { Skill } from "./skill.ts"
import type { Tool } from "./tool.ts"
import type { InboxSchemas } from "./wake.ts"

export { defineTool, type Question, type Tool } from "./tool.ts"

/** Which conversations are kept; nothing set means all. Pinned ones always are. */
export type Retention = {
  /** Those whose last activity is longer ago than this are deleted. */
  readonly days?: number | undefined
  /** How many of the newest ones are kept, for each person. */
  readonly conversations?: number | undefined
}

export type Agent = {
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly model: Model
  /** Take over in order when the model cannot answer (MOD-11). */
  readonly fallback?: Model | readonly Model[]
  readonly modelSettings?: CallSettings
  /** The models that people may choose besides these (MOD-4). A function, because local ones are found later. */
  readonly offers?: () => readonly ModelOffer[]
  /** Which settings a person may change; by default all except provider options. */
  readonly personSettings?: readonly (keyof ModelSettings)[]
  /** If exceeded, the turn asks before it continues (TRN-14). */
  /** Which conversations with it are kept (LOG-40). Default: as the server is set. */
  readonly retention?: Retention
  readonly budgetTokens?: number
  /** What a stop does to the queue when the request does not say (QUE-5). */
  readonly onStop?: "hold" | "drain" | "clear"
  /** What a failed turn does to the queue; by default it depends on who sent the message (QUE-20). */
  readonly onError?: "hold" | "retry" | "continue"
  /** In a turn nobody is watching, "ask" counts as "no" unless this says otherwise (TRN-13). */
  readonly asksWhenTriggered?: boolean
  readonly tools: readonly Tool[]
  readonly slashCommands: readonly SlashCommandRow[]
  /** Message types it accepts besides typed messages, with the schemas of their payloads (CMP-1). */
  readonly inbox?: InboxSchemas
  /** Skills it can look up when a task needs them (CMP-11). */
  readonly skills?: readonly Skill[]
  /** Runs instead of the standard turn, which it may call (CMP-12). */
  readonly handler?: Handler
  /** Runs its turns instead of a model: it is a hosted agent (HST-1). */
  readonly harness?: Harness
  /** Woken when a conversation with it is created: `inbox` then has the type `spawn` (CMP-9). */
  readonly wakeOnSpawn?: boolean
  /** How long the handler may leave its turn idle. */
  readonly handlerTimeoutMs?: number
  /** Whether its turns include the person's memories. */
  readonly memory?: boolean
  /** Whether it may ask to be woken (TRG-4). */
  readonly wakeups?: boolean
  /** Whether it has a workspace with files. */
  readonly workspace?: boolean
  /** A folder on this machine that is its workspace, by its absolute path (WSP-8). */
  readonly folder?: string
  /** Commands that it may run in its workspace; absent: none (SBX-1). */
  readonly run?: RunSettings
  /** False: its conversations keep the first words as their title (ADR-13). */
  readonly titles?: boolean
  /** Limits the number of messages sent to the model (CPT-9). */
  readonly maxMessages?: number
  /** Tokens one person may use with it in all their conversations before it asks (TRN-14). */
  readonly personBudgetTokens?: number
}
