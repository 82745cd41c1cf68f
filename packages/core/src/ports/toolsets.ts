/**
 * What agents are lent from outside: tools, prompts as slash commands, and how things stand with whoever lends them.
 *
 * Nothing here waits for the outside but `contextFor`, which is bounded: a lender that is gone keeps no turn from
 * beginning.
 */
import type { CommandRow, McpServerView } from "@parlor/protocol"
import type { NewContext } from "../agent/handler.ts"
import type { Tool } from "../agent/tool.ts"

export interface Toolsets {
  toolsFor(agent: string): readonly Tool[]
  /** Each with an owner that begins with `OUTSIDE_OWNER`. */
  commandsFor(agent: string): readonly CommandRow[]
  /** What such a command stands for; undefined when it is none of theirs. One that cannot be had says so in words. */
  contextFor(agent: string, command: OutsideCommand, signal: AbortSignal): Promise<NewContext | undefined>
  status(): readonly McpServerView[]
}

export type OutsideCommand = { readonly name: string; readonly text: string }
