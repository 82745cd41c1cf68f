import type { Command } from "commander"

/** The commands that do something, at any depth; a group of subcommands alone does nothing. */
export function everyCommand(program: Command): readonly Command[] {
  return program.commands.flatMap((command) => (command.commands.length === 0 ? [command] : everyCommand(command)))
}
