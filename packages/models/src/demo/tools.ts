/** How the demo model uses tools: one call, and a sentence about the result. */
import type { Json, ModelRequest, ModelToolResult } from "@parlor/core"
import { memorySentence } from "./memory.ts"
import { type Beat, type Script, say } from "./script.ts"

const clockTool = "current_time"
const askTool = "ask_person"
const drinks = ["Tea", "Coffee", "Surprise me"]
const maxShownChars = 1_000

export function tellTime(request: ModelRequest): Script {
  if (isOffered(request, clockTool)) return [call(clockTool, {})]
  return say(`I have no clock of my own, and this agent offers no \`${clockTool}\` tool. Add one and ask me again.`)
}

export function askPerson(request: ModelRequest): Script {
  if (!isOffered(request, askTool))
    return say(`I cannot ask you anything: this agent offers no \`${askTool}\` tool. Add one and try again.`)
  const input = { question: "What shall I bring you?", options: drinks }
  return [
    ...say("I have a question for you. I will wait for your answer, even if you close the page."),
    call(askTool, input),
  ]
}

/** The clock if the agent has it, as all shipped agents with tools do; otherwise a list of its tools. */
export function useSomeTool(request: ModelRequest): Script {
  if (!isOffered(request, clockTool)) return listTools(request)
  return [...say(`I look at the clock, with the \`${clockTool}\` tool.`), call(clockTool, {})]
}

/** Undefined if the name is unknown and the text does not mention a tool. */
export function callTool(request: ModelRequest, name: string, input: string | undefined): Script | undefined {
  const offered = isOffered(request, name)
  if (!offered && input === undefined && !name.includes("_")) return undefined
  if (!offered) return [...say(`There is no tool called \`${name}\` here. `), ...listTools(request)]
  const parsed = input === undefined ? {} : parsedInput(input)
  if (parsed === undefined) return say(`I would call \`${name}\`, but its input is not valid JSON: \`${input}\``)
  return [...say(`Calling \`${name}\`.`), call(name, parsed)]
}

export function listTools(request: ModelRequest): Script {
  if (request.tools.length === 0) return say("This agent offers me no tools.")
  const list = request.tools.map((tool) => `- \`${tool.name}\`: ${tool.description}`).join("\n")
  return say(`These are the tools I may use:\n\n${list}\n\nSay \`use <tool> {"some": "input"}\` and I will call it.`)
}

export function afterTools(results: readonly ModelToolResult[]): Script {
  return say(results.length === 0 ? "The tool answered nothing." : results.map(sentence).join("\n\n"))
}

function sentence(result: ModelToolResult): string {
  if (result.outcome === "failed") return `The tool \`${result.name}\` did not work: ${shortened(plain(result.output))}`
  const remembered = memorySentence(result)
  if (remembered !== undefined) return shortened(remembered)
  if (result.name === askTool) return thanks(plain(result.output))
  if (result.name === clockTool) return `It is **${time(result.output)}**. I asked the \`${clockTool}\` tool.`
  if (typeof result.output === "string") return `The tool \`${result.name}\` answered:\n\n${shortened(result.output)}`
  const shown = shortened(JSON.stringify(result.output, undefined, 2))
  return `The tool \`${result.name}\` answered:\n\n\`\`\`json\n${shown}\n\`\`\``
}

function thanks(answer: string): string {
  switch (drinks.indexOf(answer)) {
    case 0:
      return "You answered **Tea**. The kettle is on, in a manner of speaking."
    case 1:
      return "You answered **Coffee**. It will be strong, and imaginary."
    case 2:
      return "You answered **Surprise me**. Then it is cocoa."
    default:
      return `The answer was: ${shortened(answer)}`
  }
}

/** The time from the tool's result: plain text, or the first text in an object. */
function time(output: Json): string {
  if (typeof output !== "object" || output === null) return plain(output)
  const text = Object.values(output).find((value) => typeof value === "string")
  return typeof text === "string" ? text : plain(output)
}

function call(name: string, input: Json): Beat {
  return { type: "call", name, input }
}

function isOffered(request: ModelRequest, name: string): boolean {
  return request.tools.some((tool) => tool.name === name)
}

function parsedInput(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function plain(output: Json): string {
  return typeof output === "string" ? output : JSON.stringify(output)
}

function shortened(text: string): string {
  return text.length <= maxShownChars ? text : `${text.slice(0, maxShownChars).toWellFormed()}…`
}
