/**
 * Tools, prompts (as slash commands) and status of MCP servers. Only `contextFor` waits for a server, with a timeout:
 * an unreachable server never keeps a turn from starting.
 */
import type { McpServerView, SlashCommandRow } from "@parlor/protocol"
import type { NewContext } from "./handler.ts"
import type { Tool } from "./tool.ts"

export interface Toolsets {
  /** The tools for this person's conversations: each person approves a changed tool for themselves (SEC-28). */
  toolsFor(agent: string, person: string): readonly Tool[]
  /** Each with an owner that starts with `OUTSIDE_OWNER`. */
  commandsFor(agent: string): readonly SlashCommandRow[]
  /**
   * The context of such a command; undefined if it belongs to no MCP server. If it cannot be fetched, the context says
   * why.
   */
  contextFor(agent: string, command: OutsideCommand, signal: AbortSignal): Promise<NewContext | undefined>
  /** MCP server status, with the tools that changed for this person. */
  status(person: string): readonly McpServerView[]
  /** Trusts a tool's definition for everyone. False if the server no longer offers this definition. */
  pin(server: string, tool: string, hash: string): Promise<boolean>
  /** Forgets what a deleted person allowed (SEC-25). */
  forgetPerson(person: string): Promise<void>
}

export type OutsideCommand = { readonly name: string; readonly text: string }
