import { parseComposer } from "@parlor/client/composer"
import { argumentSign, type SlashCommandRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { commandHints, wantsWords } from "./commandHints.ts"

const argument = (name: string, required: boolean, type: "string" | "number" | "boolean" = "string") => ({
  name,
  required,
  type,
  description: `the ${name}`,
})
const commands: readonly SlashCommandRow[] = [
  {
    name: "deploy",
    description: "Deploys.",
    arguments: [argument("environment", true), argument("count", false, "number"), argument("dry", false, "boolean")],
    owner: null,
  },
  { name: "review", description: "Reviews.", arguments: [argument("what", true)], owner: null },
  {
    name: "scale",
    description: "Scales.",
    arguments: [argument("by", true, "number"), argument("now", true, "boolean")],
    owner: null,
  },
  { name: "help", description: "Helps.", arguments: [], owner: null },
]
const hints = (source: string) =>
  commandHints(parseComposer(source, { commands: commands.map(({ name }) => name), agents: [] }), commands)
const states = (source: string) => hints(source).map((hint) => hint.arguments.map(({ state }) => state))

describe("[TAB-10] what a command wants", () => {
  it("says which arguments are given, and which one is next", () => {
    expect(states("/deploy")).toEqual([["missing", "missing", "missing"]])
    expect(hints("/deploy")[0]?.next?.name).toBe("environment")
    expect(states("/deploy staging 3")).toEqual([["given", "given", "missing"]])
    expect(hints("/deploy staging 3")[0]?.next?.name).toBe("dry")
    expect(states('/deploy "the big one" 3 yes')).toEqual([["given", "given", "given"]])
    expect(hints("/help me")).toEqual([])
    expect(hints("/nobody knows")).toEqual([])
  })

  it("says what is missing before it is sent, of every command in the box", () => {
    expect(wantsWords(hints("/deploy"))).toBe("/deploy still needs: environment")
    expect(wantsWords(hints("/deploy x /review"))).toBe("/review still needs: what")
    expect(wantsWords(hints("/deploy x /review it"))).toBeUndefined()
    expect(wantsWords(hints("no command"))).toBeUndefined()
  })

  it("says what does not fit its type, where something has to be; elsewhere it is the sentence that goes on", () => {
    expect(wantsWords(hints("/scale many yes"))).toBe("/scale: by must be a number")
    expect(wantsWords(hints("/scale 0.5 perhaps"))).toBe("/scale: now must be yes or no")
    expect(wantsWords(hints("/scale 0.5 off"))).toBeUndefined()
    expect(wantsWords(hints("/deploy staging and tell me"))).toBeUndefined()
    expect(states("/deploy staging and tell me")).toEqual([["given", "missing", "missing"]])
  })

  it("signs what has to be there and what may be left out", () => {
    expect(commands[0]?.arguments.map(argumentSign)).toEqual(["<environment>", "[count]", "[dry]"])
  })
})
