/** MCP server status (TRG-6), and Parlor as an MCP server (API-40). */
import { z } from "zod"
import { jsonValue } from "../json-value.ts"
import { limits } from "../limits.ts"
import { type DescribedRoute, ok } from "./route.ts"

/**
 * - `connecting`: the first attempt, or a retry, is running.
 * - `ready`: its tools can be called.
 * - `waiting`: it could not be reached or disconnected; retried at `retryAt`. Its tools fail immediately.
 */
const mcpServerState = z.enum(["connecting", "ready", "waiting"])

export const mcpServerView = z.object({
  name: z.string(),
  transport: z.enum(["stdio", "http"]),
  state: mcpServerState,
  since: z.number(),
  /** The current or last connection error. */
  lastError: z.string().nullable(),
  retryAt: z.number().nullable(),
  /** Agents that may use it; null for all. */
  agents: z.array(z.string()).nullable(),
  tools: z.array(
    z.object({
      /** The server's name for it, and the name agents use. */
      tool: z.string(),
      name: z.string(),
      /** Hash of its definition, for pinning. */
      hash: z.string(),
      /** It is new or has changed since it was allowed: the person is asked before its first call. */
      changed: z.boolean(),
    }),
  ),
  /** Tools that are not offered, with the reason. */
  leftOut: z.array(z.object({ tool: z.string(), why: z.string() })),
  /** Its prompts, as slash commands. */
  slashCommands: z.array(z.string()),
  /** Subscriptions that wake an agent, and when each last did. */
  wakes: z.array(
    z.object({
      on: z.string(),
      agent: z.string(),
      branch: z.string(),
      lastAt: z.number().nullable(),
      lastError: z.string().nullable(),
    }),
  ),
})
export type McpServerView = z.infer<typeof mcpServerView>

/** The SDK reads the rest: what a message needs depends on its protocol version. */
const rpcMessage = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), jsonValue).optional(),
})

export const mcpRoutes = {
  mcp: {
    needs: "read",
    repeats: "own",
    summary: "MCP over streamable HTTP: agents, conversations, send, wait, answer, stop, read, search",
    body: z.union([rpcMessage, z.array(rpcMessage).min(1).max(limits.mcpBatch)]),
    answer: { status: 200, type: "web" },
    errors: "json-rpc",
  },
  listMcpServers: {
    needs: "read",
    summary: "The MCP servers agents use: their state, their tools, their last errors",
    answer: ok(z.object({ servers: z.array(mcpServerView) })),
  },
  pinMcpTool: {
    needs: "manage",
    repeats: "harmless",
    summary: "Trusts the current definition of a changed MCP tool, for everyone",
    params: z.object({ server: z.string().min(1).max(128), tool: z.string().min(1).max(256) }),
    body: z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>
