/**
 * Reads the arguments of a slash command from the text after it, as the command declares them (CMP-19). Pure.
 *
 *   /order A-7 what about it?     order_id: string, required   ->  order_id "A-7", rest "what about it?"
 *
 * Each argument is one word, or several in double quotes, in the declared order. A word that does not fit an optional
 * argument is left for the next one; what no argument takes is the rest.
 */
import { unreachable } from "../errors.ts"

type ArgumentType = "string" | "number" | "boolean"
export type ArgumentValue = string | number | boolean

export type ArgumentDefinition = {
  readonly name: string
  /** Default: string. */
  readonly type?: ArgumentType | undefined
  readonly required?: boolean | undefined
  readonly description?: string | undefined
}

type ValueOf<Type> = Type extends "number" ? number : Type extends "boolean" ? boolean : string

/** The values of declared arguments: required ones are there, others may be. */
export type ArgumentsOf<Arguments extends readonly ArgumentDefinition[]> = {
  readonly [A in Arguments[number] as A extends { readonly required: true } ? A["name"] : never]: ValueOf<A["type"]>
} & {
  readonly [A in Arguments[number] as A extends { readonly required: true } ? never : A["name"]]?: ValueOf<A["type"]>
}

export type ReadArgument<A extends ArgumentDefinition = ArgumentDefinition> =
  | { readonly argument: A; readonly state: "given"; readonly value: ArgumentValue }
  | { readonly argument: A; readonly state: "missing" }
  /** Required, and the word in its place is of another type. */
  | { readonly argument: A; readonly state: "unfit" }

export type ReadArguments<A extends ArgumentDefinition = ArgumentDefinition> = {
  readonly read: readonly ReadArgument<A>[]
  readonly rest: string
}

const WORD = /\s*(?:"([^"]*)"(?!\S)|(\S+))/uy

export function readArguments<A extends ArgumentDefinition>(declared: readonly A[], text: string): ReadArguments<A> {
  let at = 0
  const read = declared.map((argument): ReadArgument<A> => {
    WORD.lastIndex = at
    const found = WORD.exec(text)
    if (found === null) return { argument, state: "missing" }
    const value = converted(argument.type ?? "string", found[1] ?? found[2] ?? "")
    if (value === undefined && argument.required !== true) return { argument, state: "missing" }
    at = WORD.lastIndex
    return value === undefined ? { argument, state: "unfit" } : { argument, state: "given", value }
  })
  return { read, rest: text.slice(at).trim() }
}

/** The first problem as a sentence; undefined when there is none. */
export function argumentProblem(name: string, read: readonly ReadArgument[]): string | undefined {
  const missing = read.filter(({ argument, state }) => state === "missing" && argument.required === true)
  if (missing.length > 0) return `/${name} still needs: ${missing.map(({ argument }) => argument.name).join(", ")}`
  const unfit = read.find(({ state }) => state === "unfit")?.argument
  return unfit && `/${name}: ${unfit.name} must be ${unfit.type === "number" ? "a number" : "yes or no"}`
}

/** How an argument is written in a hint: `<required>`, `[optional]`. */
export function argumentSign({ name, required }: ArgumentDefinition): string {
  return required === true ? `<${name}>` : `[${name}]`
}

function converted(type: ArgumentType, word: string): ArgumentValue | undefined {
  switch (type) {
    case "string":
      return word
    case "number":
      return word.trim() !== "" && Number.isFinite(Number(word)) ? Number(word) : undefined
    case "boolean":
      return /^(?:true|yes|on)$/i.test(word) || (/^(?:false|no|off)$/i.test(word) ? false : undefined)
    default:
      return unreachable(type)
  }
}
