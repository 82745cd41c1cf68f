/** A server's prompts as slash commands, and the context they insert (TRG-6). */
import { commandRow, type NewContext, OUTSIDE_OWNER } from "@parlor/core"
import type { SlashCommandRow } from "@parlor/protocol"
import type { Prompt } from "./catalogue.ts"
import type { Connection } from "./connection.ts"
import { commandName } from "./names.ts"
import { type Piece, piecesText } from "./result.ts"

const PROMPT_MS = 10_000
const MAX_CONTENT = 64_000
const MAX_DESCRIPTION = 300

/** Prompts whose names are not valid commands are left out. */
export function commandsOf({ name: server, catalogue }: Connection): readonly SlashCommandRow[] {
  return catalogue.prompts.flatMap((prompt) => {
    try {
      return [
        commandRow(
          {
            name: commandName(server, prompt.name),
            description: plain(prompt.description),
            arguments: prompt.arguments.map(({ name, description, required }) => ({
              name,
              required,
              description: plain(description),
            })),
          },
          `${OUTSIDE_OWNER}${server}`,
        ),
      ]
    } catch {
      return []
    }
  })
}

/** An error is told to the model instead of the prompt, so that the person still gets a reply. */
export async function contextOf(
  connection: Connection,
  prompt: Prompt,
  command: { readonly name: string; readonly text: string },
  signal: AbortSignal,
): Promise<NewContext> {
  const { name: server } = connection
  const about = {
    type: "prompt",
    title: command.name,
    metadata: { command: command.name, origin: `MCP server ${server}`, prompt: prompt.name },
  }
  try {
    const given = promptArguments(prompt, command.text)
    const { messages } = await connection.ask(
      (client, options) => client.getPrompt({ name: prompt.name, arguments: given }, options),
      { signal, timeoutMs: PROMPT_MS },
    )
    const said = messages.map(({ role, content }) => `${role}: ${piecesText([content as Piece])}`)
    return { ...about, content: said.join("\n\n").slice(0, MAX_CONTENT).toWellFormed() }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const why = error instanceof Error ? error.message : String(error)
    return { ...about, content: `[The prompt ${prompt.name} is not available: ${why}]` }
  }
}

/**
 * `/weather:in Paris`, `/weather:in city=Paris state="New York"`: named arguments, then the others in order. The last
 * one takes the rest. Throws if a required one is missing.
 */
export function promptArguments(prompt: Prompt, text: string): Record<string, string> {
  const given = new Map<string, string>()
  const rest: string[] = []
  for (const word of wordsOf(text)) {
    const [, name = "", value = ""] = /^([\w-]+)=([\s\S]*)$/.exec(word) ?? []
    if (prompt.arguments.some((argument) => argument.name === name) && !given.has(name)) given.set(name, value)
    else rest.push(word)
  }
  const open = prompt.arguments.filter(({ name }) => !given.has(name))
  for (const [index, { name }] of open.entries()) {
    const isLast = index === open.length - 1
    const value = isLast ? rest.splice(0).join(" ") : rest.shift()
    if (value !== undefined && value !== "") given.set(name, value)
  }
  const missing = prompt.arguments.find(({ name, required }) => required && !given.has(name))
  if (missing !== undefined) throw new Error(`it needs the argument "${missing.name}".`)
  return Object.fromEntries(given)
}

/** Words; quoted text is one word, in `name="two words"` too. */
function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:([\w-]+=))?"([^"]*)"|\S+/g)].map(([whole, name = "", quoted]) =>
    quoted === undefined ? whole : `${name}${quoted}`,
  )
}

function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, MAX_DESCRIPTION)
    .toWellFormed()
}
