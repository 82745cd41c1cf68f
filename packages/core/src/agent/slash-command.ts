/** Slash commands as declared by an agent's author, and as changed by its code (CMP-7, CMP-8). */
import type { ArgumentDefinition, ArgumentsOf, ArgumentValue, SlashCommandRow } from "@parlor/protocol"

/** A command as declared. */
export type SlashCommandDefinition = {
  readonly name: string
  readonly description?: string
  /** In the order in which they are typed (CMP-19). */
  readonly arguments?: readonly ArgumentDefinition[]
  /** What to type after the command, shown where its arguments are not declared one by one. */
  readonly argumentHint?: string | null | undefined
}

/** A command in the message of this turn, with the text up to the next command. */
export type InvokedCommand = {
  readonly name: string
  readonly text: string
  /** The values of its declared arguments. */
  readonly arguments: Readonly<Record<string, ArgumentValue>>
  /** What follows the arguments. */
  readonly rest: string
  /** What is wrong with the arguments, as a sentence for the person. */
  readonly problem: string | undefined
}

/** An invocation of a command whose definition is known. */
export type CommandCall<Command extends SlashCommandDefinition> = {
  readonly text: string
  readonly rest: string
} & (
  | {
      readonly ok: true
      readonly arguments: ArgumentsOf<
        Command["arguments"] extends readonly ArgumentDefinition[] ? Command["arguments"] : readonly []
      >
    }
  | { readonly ok: false; readonly problem: string }
)

/** The conversation's commands (CMP-8). Dynamic commands hide declared ones of the same name until they are removed. */
export interface SlashCommands {
  get(name: string): SlashCommandRow | undefined
  list(): readonly SlashCommandRow[]
  /** The commands in the message of this turn, in order, with their arguments. */
  invoked(): readonly InvokedCommand[]
  /** Replaces the command with that name. */
  register(command: SlashCommandDefinition & { readonly owner?: string }): Promise<void>
  /** False if there is no dynamic command with that name. */
  unregister(name: string): Promise<boolean>
  /** Replaces all commands of that owner with these. */
  replaceOwned(owner: string, commands: readonly SlashCommandDefinition[]): Promise<void>
}
