/** Context that an agent's code gives to the model, as a part of a message (CMP-10). Pure, limited, idempotent. */
import { type MessageRow, type Part, Refusal } from "@parlor/protocol"
import { type NewContext, SKILL_CONTEXT } from "../agent/handler.ts"
import { cleanJson, cleanText } from "../text/clean-json.ts"

const MAX_PARTS = 64
const MAX_CONTENT_CHARS = 256 * 1024
const MAX_ALL_CHARS = 1024 * 1024
const MAX_METADATA_CHARS = 16 * 1024
const MAX_TITLE = 300
const TYPE = /^[a-z0-9][\w.:-]{0,63}$/

export type ContextPart = Extract<Part, { type: "context" }>

/**
 * The contexts that are not there yet: the same kind, title and metadata is the same context (`there`: all messages of
 * the turn).
 */
export function newContexts(contexts: readonly NewContext[], there: readonly MessageRow[]): readonly ContextPart[] {
  const known = new Set(contextsOf(there).map(identity))
  const parts: ContextPart[] = []
  for (const context of contexts) {
    const part = contextPart(context)
    const id = identity(part)
    if (known.has(id)) continue
    known.add(id)
    parts.push(part)
  }
  if (parts.length > 0) checkRoom([...contextsOf(there), ...parts])
  return parts
}

function contextPart({ type, title, content, metadata = {} }: NewContext): ContextPart {
  if (typeof type !== "string" || !TYPE.test(type))
    throw invalid(`"${type}" is not a valid type. Use a short word such as skill or search.`)
  if (typeof title !== "string" || title.trim() === "" || title.length > MAX_TITLE)
    throw invalid(`A title has 1 to ${MAX_TITLE} characters.`)
  if (typeof content !== "string" || content.length > MAX_CONTENT_CHARS)
    throw invalid(`"${title}" must be a string of at most ${MAX_CONTENT_CHARS} characters.`)
  if ((JSON.stringify(metadata)?.length ?? Number.POSITIVE_INFINITY) > MAX_METADATA_CHARS)
    throw invalid(`The metadata of "${title}" has to be JSON of at most ${MAX_METADATA_CHARS} characters.`)
  return {
    type: "context",
    kind: type,
    title: cleanText(title),
    content: cleanText(content),
    metadata: cleanJson(metadata) as ContextPart["metadata"],
    ...(type === SKILL_CONTEXT ? { instructions: true } : {}),
  }
}

function contextsOf(messages: readonly MessageRow[]): readonly ContextPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part): part is ContextPart => part.type === "context"))
}

function checkRoom(parts: readonly ContextPart[]): void {
  if (parts.length > MAX_PARTS) throw invalid(`A turn can have at most ${MAX_PARTS} pieces of context.`)
  const chars = parts.reduce((sum, { content }) => sum + content.length, 0)
  if (chars > MAX_ALL_CHARS)
    throw invalid(`The context of the turn would be too large (${chars} characters). The maximum is ${MAX_ALL_CHARS}.`)
}

function identity({ kind, title, metadata }: ContextPart): string {
  return JSON.stringify([kind, title, sorted(metadata)])
}

/** Stores may return the keys of an object in another order. */
function sorted(value: ContextPart["metadata"]): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, sorted(inner)])
}

function invalid(why: string): Refusal {
  return new Refusal("context.invalid", why)
}
