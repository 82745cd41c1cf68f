/** What a connection is made with. Loaded with the first one: a server without MCP servers starts without it. */
export { Client } from "@modelcontextprotocol/sdk/client/index.js"
export {
  ErrorCode,
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js"
export { openTransport } from "./transport.ts"
