export {
  type AgentMessage,
  type CommandCall,
  type ConversationAccess,
  commandIn,
  commandsIn,
  composerInputOf,
  type Handler,
  type HandlerContext,
  type HandlerWake,
  type InboxSchemas,
  type InboxWake,
  type InvokedCommand,
  type Json,
  type Model,
  type NewContext,
  type ObservationWake,
  type Observed,
  type Question,
  type Ran,
  type ReplyInput,
  type ReplyOptions,
  type ReplyPart,
  type ReplyStream,
  type ScheduleWake,
  type SentToAgent,
  type Skill,
  type SkillsOptions,
  type SlashCommandDefinition,
  type SlashCommands,
  type SpawnWake,
  skillsLoader,
  type Tool,
  type ToolContext,
  type TranscriptMessage,
  type WebhookWake,
} from "@parlor/core"
export {
  type ArgumentDefinition,
  type ArgumentsOf,
  type AttachmentNode,
  type BranchNode,
  COMPOSER_INPUT,
  type ComposerInput,
  type ComposerInput as ComposerInputPayload,
  type ComposerNode,
  type FileNode,
  type MentionNode,
  type NodeKind,
  type NodeOf,
  nodesOf,
  type OtherNode,
  type SlashCommandNode,
  type SlashCommandRow,
  type SymbolNode,
  slashCommands,
  type TextNode,
  type Trigger,
  textAfter,
} from "@parlor/protocol"
export type { AcpOptions } from "./acp-options.ts"
export type { AgentOptions, RunOptions, ShippedSkill } from "./agent-options.ts"
export { ConfigError } from "./config-error.ts"
export { type AgentDefinition, defineAgent } from "./define-agent.ts"
export { type Config, defineConfig } from "./define-config.ts"
export { defineSlashCommand } from "./define-slash-command.ts"
export { defineTool, type ToolOptions } from "./define-tool.ts"
export type { McpAddress, McpProcess, McpServerOptions, McpWakeOptions } from "./mcp-options.ts"
export type { NoticeOptions, ScheduleOptions, TriggerOptions, WebhookOptions } from "./trigger-options.ts"
