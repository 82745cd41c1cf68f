/** What a command in the box still wants, said before it is sent (TAB-10). What it means stays the agent's business. Pure. */
import { type CommandRow, type ComposerInput, slashCommands, textAfter, unreachable } from "@parlor/protocol"

type Argument = CommandRow["arguments"][number]

type ArgumentHint = {
  readonly argument: Argument
  readonly state: "given" | "missing" | "unfit"
}

export type CommandHint = {
  readonly name: string
  readonly arguments: readonly ArgumentHint[]
  /** The one that is written next. */
  readonly next: Argument | undefined
}

/** Of the commands in the box that take arguments, in order. Those nobody knows are left alone. */
export function commandHints(input: ComposerInput, commands: readonly CommandRow[]): readonly CommandHint[] {
  return slashCommands(input).flatMap((node) => {
    const known = commands.find(({ name }) => name === node.name)
    if (known === undefined || known.arguments.length === 0) return []
    return [hintOf(known, wordsOf(textAfter(input, node)))]
  })
}

/** What is missing, in a sentence; undefined when nothing is. */
export function wantsWords(hints: readonly CommandHint[]): string | undefined {
  for (const { name, arguments: hinted } of hints) {
    const missing = hinted.filter(({ argument, state }) => state === "missing" && argument.required)
    if (missing.length > 0) return `/${name} still needs: ${missing.map(({ argument }) => argument.name).join(", ")}`
    const unfit = hinted.find(({ state }) => state === "unfit")
    if (unfit !== undefined) return `/${name}: ${unfit.argument.name} is ${typeWords(unfit.argument.type)}`
  }
  return undefined
}

/** How an argument is written in a hint: `<needed>`, `[may be left out]`. */
export function argumentSign({ name, required }: Argument): string {
  return required ? `<${name}>` : `[${name}]`
}

function hintOf({ name, arguments: taken }: CommandRow, words: readonly string[]): CommandHint {
  const hinted = taken.map((argument, index): ArgumentHint => {
    const word = words[index]
    if (word !== undefined && fits(argument.type, word)) return { argument, state: "given" }
    // Behind a command there may be a sentence: what does not fit where nothing has to be is part of that.
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
  return type === "number" ? "a number" : type === "boolean" ? "yes or no" : "a text"
}

/** Words, or whole phrases in quotes. */
function wordsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/"([^"]*)"|\S+/gu), ([word, quoted]) => quoted ?? word)
}
