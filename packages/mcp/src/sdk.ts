/** The MCP SDK's client, loaded with the first connection: a server without MCP servers starts without it. */
export { Client, SdkError, SdkErrorCode } from "@modelcontextprotocol/client"
export { openTransport } from "./transport.ts"
