import type { SlashCommandDefinition } from "@parlor/core"

/** Keeps the literal types of a command, so that `commandIn(ctx.wake, command)` knows its arguments (CMP-19). */
export function defineSlashCommand<const Command extends SlashCommandDefinition>(command: Command): Command {
  return command
}
