/** Slash commands as an agent's author declares them, and as its code changes them (CMP-7, CMP-8). */
import type { CommandRow } from "@parlor/protocol"

/** A command as it is declared. */
export type SlashCommand = {
  readonly name: string
  readonly description?: string
  readonly arguments?: readonly {
    readonly name: string
    readonly type?: "string" | "number" | "boolean"
    readonly required?: boolean
    readonly description?: string
  }[]
}

/** The conversation's commands (CMP-8). Dynamic ones hide those the agent declares; removing them shows those again. */
export interface SlashCommands {
  get(name: string): CommandRow | undefined
  list(): readonly CommandRow[]
  /** Replaces the one of that name. */
  register(command: SlashCommand & { readonly owner?: string }): Promise<void>
  /** False when there is no dynamic command of that name. */
  unregister(name: string): Promise<boolean>
  /** Makes these, and no others, the commands of that owner. */
  replaceOwned(owner: string, commands: readonly SlashCommand[]): Promise<void>
}
