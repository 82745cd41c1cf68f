export {
  commandsIn,
  composerInputOf,
  type Handler,
  type HandlerContext,
  type HandlerWake,
  type InboxSchemas,
  type InboxWake,
  type Json,
  type Model,
  type NewContext,
  type ObservationWake,
  type Question,
  type Ran,
  type ScheduleWake,
  type Skill,
  type SkillsOptions,
  type SlashCommandDefinition,
  type SlashCommands,
  type SpawnWake,
  skillsLoader,
  type Tool,
  type ToolContext,
  type WebhookWake,
} from "@parlor/core"
export type { AgentOptions } from "./agent-options.ts"
export { ConfigError } from "./config-error.ts"
export { type AgentDefinition, defineAgent } from "./define-agent.ts"
export { type Config, defineConfig } from "./define-config.ts"
export { defineTool, type ToolOptions } from "./define-tool.ts"
export type { McpAddress, McpProcess, McpServerOptions, McpWakeOptions } from "./mcp-options.ts"
export type { NoticeOptions, ScheduleOptions, TriggerOptions, WebhookOptions } from "./trigger-options.ts"
