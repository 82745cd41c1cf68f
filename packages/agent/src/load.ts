/** What a server needs to run agents that were written with this package. */
export { isOrigin } from "./check-origins.ts"
export { findConfig } from "./load/config-file.ts"
export { type OpenedConfig, type OpenOptions, openConfig } from "./load/open-config.ts"
export { type Resolved, type ResolveOptions, resolveAgents } from "./load/resolve-agents.ts"
export { type McpServer, type McpWake, resolveMcp } from "./load/resolve-mcp.ts"
export { resolveTriggers } from "./load/resolve-triggers.ts"
export { readSkills } from "./load/skill-folder.ts"
