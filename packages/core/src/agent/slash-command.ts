/** Slash commands as declared by an agent's author, and as changed by its code (CMP-7, CMP-8). */
import type { SlashCommandRow } from "@parlor/protocol"

/** A command as declared. */
export type SlashCommandDefinition = {
  readonly name: string
  readonly description?: string
  readonly arguments?: readonly {
    readonly name: string
    readonly type?: "string" | "number" | "boolean"
    readonly required?: boolean
    readonly description?: string
  }[]
}

/** The conversation's commands (CMP-8). Dynamic commands hide declared ones of the same name until they are removed. */
export interface SlashCommands {
  get(name: string): SlashCommandRow | undefined
  list(): readonly SlashCommandRow[]
  /** Replaces the command with that name. */
  register(command: SlashCommandDefinition & { readonly owner?: string }): Promise<void>
  /** False if there is no dynamic command with that name. */
  unregister(name: string): Promise<boolean>
  /** Replaces all commands of that owner with these. */
  replaceOwned(owner: string, commands: readonly SlashCommandDefinition[]): Promise<void>
}
