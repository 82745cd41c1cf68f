/**
 * Missing or invalid arguments of a command in the box, shown before it is sent (TAB-10). The agent interprets them.
 * Pure.
 */
import { type ComposerInput, type SlashCommandRow, slashCommands, textAfter, unreachable } from "@parlor/protocol"

type Argument = SlashCommandRow["arguments"][number]

type ArgumentHint = {
  readonly argument: Argument
  readonly state: "given" | "missing" | "unfit"
}

export type CommandHint = {
  readonly name: string
  readonly arguments: readonly ArgumentHint[]
  /** The next argument to type. */
  readonly next: Argument | undefined
}

/** Hints for the known commands in the box that take arguments, in order. */
export function commandHints(input: ComposerInput, commands: readonly SlashCommandRow[]): readonly CommandHint[] {
  return slashCommands(input).flatMap((node) => {
    const known = commands.find(({ name }) => name === node.name)
    if (known === undefined || known.arguments.length === 0) return []
    return [hintOf(known, wordsOf(textAfter(input, node)))]
  })
}

/** The first problem as a sentence; undefined when there is none. */
export function wantsWords(hints: readonly CommandHint[]): string | undefined {
  for (const { name, arguments: hinted } of hints) {
    const missing = hinted.filter(({ argument, state }) => state === "missing" && argument.required)
    if (missing.length > 0) return `/${name} still needs: ${missing.map(({ argument }) => argument.name).join(", ")}`
    const unfit = hinted.find(({ state }) => state === "unfit")
    if (unfit !== undefined) return `/${name}: ${unfit.argument.name} must be ${typeWords(unfit.argument.type)}`
  }
  return undefined
}

/** How an argument is written in a hint: `<required>`, `[optional]`. */
export function argumentSign({ name, required }: Argument): string {
  return required ? `<${name}>` : `[${name}]`
}

function hintOf({ name, arguments: taken }: SlashCommandRow, words: readonly string[]): CommandHint {
  const hinted = taken.map((argument, index): ArgumentHint => {
    const word = words[index]
    if (word !== undefined && fits(argument.type, word)) return { argument, state: "given" }
    // Text may follow a command, so a word that doesn't match an optional argument is part of that text.
    return { argument, state: word !== undefined && argument.required ? "unfit" : "missing" }
  })
  return { name, arguments: hinted, next: hinted.find(({ state }) => state === "missing")?.argument }
}

function fits(type: Argument["type"], word: string): boolean {
  switch (type) {
    case "string":
      return true
    case "number":
      return word.trim() !== "" && Number.isFinite(Number(word))
    case "boolean":
      return /^(?:true|false|yes|no|on|off)$/i.test(word)
    default:
      return unreachable(type)
  }
}

function typeWords(type: Argument["type"]): string {
  return type === "number" ? "a number" : type === "boolean" ? "yes or no" : "text"
}

/** Words, or whole phrases in quotes. */
function wordsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/"([^"]*)"|\S+/gu), ([word, quoted]) => quoted ?? word)
}
