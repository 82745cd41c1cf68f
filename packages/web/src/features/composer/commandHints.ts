/**
 * Missing or invalid arguments of a command in the box, shown before it is sent (TAB-10). The agent interprets them.
 * Pure.
 */
import {
  argumentProblem,
  type ComposerInput,
  type ReadArgument,
  readArguments,
  type SlashCommandRow,
  slashCommands,
  textAfter,
} from "@parlor/protocol"

type Argument = SlashCommandRow["arguments"][number]

export type CommandHint = {
  readonly name: string
  readonly arguments: readonly ReadArgument<Argument>[]
  /** The next argument to type. */
  readonly next: Argument | undefined
}

/** Hints for the known commands in the box that take arguments, in order. */
export function commandHints(input: ComposerInput, commands: readonly SlashCommandRow[]): readonly CommandHint[] {
  return slashCommands(input).flatMap((node) => {
    const known = commands.find(({ name }) => name === node.name)
    if (known === undefined || known.arguments.length === 0) return []
    const { read } = readArguments(known.arguments, textAfter(input, node))
    return [{ name: known.name, arguments: read, next: read.find(({ state }) => state === "missing")?.argument }]
  })
}

/** The first problem as a sentence; undefined when there is none. */
export function wantsWords(hints: readonly CommandHint[]): string | undefined {
  for (const { name, arguments: read } of hints) {
    const problem = argumentProblem(name, read)
    if (problem !== undefined) return problem
  }
  return undefined
}
