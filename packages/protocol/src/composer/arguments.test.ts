import { describe, expect, it } from "vitest"
import { type ArgumentDefinition, argumentProblem, readArguments } from "./arguments.ts"

const id: ArgumentDefinition = { name: "order_id", required: true }
const count: ArgumentDefinition = { name: "count", type: "number" }
const dry: ArgumentDefinition = { name: "dry", type: "boolean" }
const values = (declared: readonly ArgumentDefinition[], text: string) => {
  const { read, rest } = readArguments(declared, text)
  return [
    Object.fromEntries(read.flatMap((one) => (one.state === "given" ? [[one.argument.name, one.value]] : []))),
    rest,
  ]
}

describe("[CMP-19] the arguments of a command", () => {
  it("are words in order, converted to their types; what is left is the rest", () => {
    expect(values([id], "A-7 what about it?")).toEqual([{ order_id: "A-7" }, "what about it?"])
    expect(values([id, count, dry], "A-7 3 no thanks")).toEqual([{ order_id: "A-7", count: 3, dry: false }, "thanks"])
    expect(values([id], '  "two words"  and more ')).toEqual([{ order_id: "two words" }, "and more"])
    expect(values([id], '"open and')).toEqual([{ order_id: '"open' }, "and"])
    expect(values([], " all of it ")).toEqual([{}, "all of it"])
  })

  it("an optional one that a word does not fit is left out, and the word is not lost", () => {
    expect(values([count, id], "A-7 x")).toEqual([{ order_id: "A-7" }, "x"])
    expect(values([dry, count], "perhaps")).toEqual([{}, "perhaps"])
  })

  it("a required one that is missing or of another type is a problem, in words", () => {
    const problem = (declared: readonly ArgumentDefinition[], text: string) =>
      argumentProblem("order", readArguments(declared, text).read)
    expect(problem([id, { ...count, required: true }], "")).toBe("/order still needs: order_id, count")
    expect(problem([{ ...count, required: true }], "many")).toBe("/order: count must be a number")
    expect(problem([{ ...dry, required: true }], "many")).toBe("/order: dry must be yes or no")
    expect(problem([id, count], "A-7")).toBeUndefined()
  })
})
