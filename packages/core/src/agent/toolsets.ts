/**
 * What agents are lent from outside: tools, prompts as slash commands, and how things stand with whoever lends them.
 *
 * Nothing here waits for the outside but `contextFor`, which is bounded: a lender that is gone keeps no turn from
 * beginning.
 */
import type { CommandRow, McpServerView } from "@parlor/protocol"
import type { NewContext } from "./handler.ts"
import type { Tool } from "./tool.ts"

export interface Toolsets {
  /** For the conversations of this person: a changed tool is one person's to allow, for themselves (SEC-28). */
  toolsFor(agent: string, person: string): readonly Tool[]
  /** Each with an owner that begins with `OUTSIDE_OWNER`. */
  commandsFor(agent: string): readonly CommandRow[]
  /** What such a command stands for; undefined when it is none of theirs. One that cannot be had says so in words. */
  contextFor(agent: string, command: OutsideCommand, signal: AbortSignal): Promise<NewContext | undefined>
  /** As this person finds it: what is changed for them. */
  status(person: string): readonly McpServerView[]
  /** Trusts a tool's definition for everyone. False when it is not the one the server has now. */
  pin(server: string, tool: string, hash: string): Promise<boolean>
  /** What this person allowed is forgotten: they are deleted (SEC-25). */
  forgetPerson(person: string): Promise<void>
}

export type OutsideCommand = { readonly name: string; readonly text: string }
