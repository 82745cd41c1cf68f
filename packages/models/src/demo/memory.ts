/** How the demo model remembers: with the agent's tools, if it has them. */
import type { Json, ModelRequest, ModelToolResult } from "@parlor/core"
import { type Script, say } from "./script.ts"

const maxDescriptionChars = 120
const maxNameWords = 5
const maxNameChars = 60

export function remember(request: ModelRequest, what: string): Script {
  if (!isOffered(request, "memory_write")) return say("I cannot remember anything: this agent has no memory.")
  const text = what.trim().replace(/\s+/g, " ")
  const description = text.slice(0, maxDescriptionChars).toWellFormed()
  const input = { scope: "user", name: nameOf(text), description, type: "user", body: text }
  return [{ type: "call", name: "memory_write", input }]
}

export function tellRemembered(request: ModelRequest): Script {
  if (!isOffered(request, "memory_list")) return say("I remember nothing: this agent has no memory.")
  return [{ type: "call", name: "memory_list", input: {} }]
}

export function forget(request: ModelRequest, name: string): Script | undefined {
  return isOffered(request, "memory_delete") ? [{ type: "call", name: "memory_delete", input: { name } }] : undefined
}

/** The result of a memory tool as a sentence; undefined for other tools. */
export function memorySentence({ name, output }: ModelToolResult): string | undefined {
  const told = output as { readonly [key: string]: Json } | null
  if (name === "memory_write")
    return `I will remember that, in every conversation of yours, as \`${told?.name}\`. Say \`forget ${told?.name}\` to undo it, or look at the page Memory.`
  if (name === "memory_delete")
    return told?.deleted === true ? `Forgotten: \`${told.name}\`.` : "There was no such memory."
  if (name !== "memory_list") return undefined
  const memories = (told?.memories ?? []) as readonly { readonly name: string; readonly description: string }[]
  if (memories.length === 0) return "I remember nothing yet. Say `remember that I like tea`."
  return `I remember:\n\n${memories.map(({ name, description }) => `- \`${name}\`: ${description}`).join("\n")}`
}

/** The first words that can be part of a name. */
function nameOf(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const name = words.slice(0, maxNameWords).join("-").slice(0, maxNameChars).replace(/-$/, "")
  return name === "" ? "note" : name
}

function isOffered(request: ModelRequest, name: string): boolean {
  return request.tools.some((tool) => tool.name === name)
}
