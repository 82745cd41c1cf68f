export {
  commandsIn,
  type Handler,
  type HandlerContext,
  type InboxSchemas,
  type Json,
  type Model,
  type NewContext,
  type Occasion,
  occasionOf,
  type Question,
  type Ran,
  type Skill,
  type SkillsOptions,
  type SlashCommandDefinition,
  type SlashCommands,
  skillsLoader,
  type Tool,
  type ToolContext,
  type Wake,
} from "@parlor/core"
export type { AgentOptions } from "./agent-options.ts"
export { ConfigError } from "./config-error.ts"
export { type AgentDefinition, defineAgent } from "./define-agent.ts"
export { type Config, defineConfig } from "./define-config.ts"
export { defineTool, type ToolOptions } from "./define-tool.ts"
export type { McpAddress, McpProcess, McpServerOptions, McpWakeOptions } from "./mcp-options.ts"
