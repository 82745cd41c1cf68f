/** MCP servers whose tools agents use: how things stand with each (TRG-6). */
import { z } from "zod"
import { type DescribedRoute, ok } from "./route.ts"

/**
 * - `connecting`: the first try, or a new one, is under way.
 * - `ready`: its tools can be called.
 * - `waiting`: it could not be reached or went away; tried again at `retryAt`. Its tools fail at once.
 */
const mcpServerState = z.enum(["connecting", "ready", "waiting"])

export const mcpServerView = z.object({
  name: z.string(),
  transport: z.enum(["stdio", "http"]),
  state: mcpServerState,
  since: z.number(),
  /** Why it is not ready, or why it was not the last time. */
  lastError: z.string().nullable(),
  retryAt: z.number().nullable(),
  /** Agents that may use it; null for all. */
  agents: z.array(z.string()).nullable(),
  tools: z.array(
    z.object({
      /** As the server calls it, and as agents do. */
      tool: z.string(),
      name: z.string(),
      /** Of its definition: what pinning names. */
      hash: z.string(),
      /** It is new or not as it was allowed: the person is asked before its first call. */
      changed: z.boolean(),
    }),
  ),
  /** Tools that are not offered, and why. */
  leftOut: z.array(z.object({ tool: z.string(), why: z.string() })),
  /** Its prompts, as slash commands. */
  commands: z.array(z.string()),
  /** What wakes an agent, and when it last did. */
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

export const mcpRoutes = {
  listMcpServers: {
    needs: "read",
    summary: "The MCP servers agents use: their state, their tools, their last errors",
    answer: ok(z.object({ servers: z.array(mcpServerView) })),
  },
  pinMcpTool: {
    needs: "manage",
    repeats: "harmless",
    summary: "Trust a changed tool of an MCP server for everyone, as its definition is now",
    params: z.object({ server: z.string().min(1).max(128), tool: z.string().min(1).max(256) }),
    body: z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>
