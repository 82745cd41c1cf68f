/** The tools by which an agent remembers (MEM-2). Created for each turn, for the person of the conversation. */
import {
  type Address,
  limits,
  type MemoryEntry,
  type MemoryLine,
  memoryName,
  memoryScope,
  memoryText,
} from "@parlor/protocol"
import { z } from "zod"
import { defineTool, type Tool, type ToolContext } from "../agent/tool.ts"
import { excerpt } from "../text/excerpt.ts"
import { memoryAccess } from "./access.ts"
import type { MemoryHome } from "./memory.ts"
import { WHEN_TO_REMEMBER } from "./skill.ts"

/** More need a narrower query: the turn already has the index. */
const LISTED = 100

const scope = memoryScope.describe("user: about this person, for all agents; project: for everyone who works here")
const name = memoryName.describe("A few words in kebab-case, such as metric-units")
const { description, type, body } = memoryText.shape

const writeInput = z.object({
  scope: scope.optional(),
  name,
  description: description
    .describe("One line: enough to judge whether the body is worth reading. Default: its first line")
    .optional(),
  type: type.describe("user, feedback, project, reference, or another word. Default: the scope").optional(),
  body: body.describe("Short markdown"),
})
const refInput = z.object({ name, scope: scope.optional() })
const listInput = z.object({
  query: z.string().max(limits.memoryQueryLength).describe("Words that must all occur").optional(),
})

export function memoryTools(home: MemoryHome, address: Address, agentName: string): readonly Tool[] {
  const memoryIn = ({ ask }: ToolContext) =>
    memoryAccess(home, address, agentName, (question) => ask({ kind: "approval", ...question }))
  return [
    defineTool({
      name: "memory_write",
      description: `Saves a memory beyond this conversation, or replaces the one with that name. The person is asked before the scope project changes. ${WHEN_TO_REMEMBER}`,
      input: writeInput,
      repeatable: true,
      run: async (input, context) => lineOf(await memoryIn(context).write(completed(input))),
    }),
    defineTool({
      name: "memory_read",
      description: "Reads a memory in full. Provide the scope if both scopes have that name.",
      input: refInput,
      repeatable: true,
      run: async ({ name, scope }, context) => {
        const found = await memoryIn(context).read(name, scope)
        return { ...lineOf(found), body: found.body }
      },
    }),
    defineTool({
      name: "memory_list",
      description: "Lists memories without their bodies; with a query, those that contain all its words.",
      input: listInput,
      repeatable: true,
      run: async ({ query }, context) => {
        const lines = await memoryIn(context).list(query === undefined ? {} : { query })
        const left = lines.length - LISTED
        return { memories: lines.slice(0, LISTED).map(lineOf), ...(left > 0 ? { more: left } : {}) }
      },
    }),
    defineTool({
      name: "memory_delete",
      description: "Deletes a memory. Use it when the person wants it forgotten, or it is wrong.",
      input: refInput,
      // The second time there is nothing to delete, and the result says so.
      repeatable: true,
      run: async ({ name, scope }, context) => ({ name, deleted: await memoryIn(context).delete(name, scope) }),
    }),
  ]
}

/** A name and a body are enough (MEM-2). */
function completed({ scope = "user", name, description, type, body }: z.infer<typeof writeInput>): MemoryEntry {
  return { scope, name, description: description ?? firstLine(body) ?? name, type: type ?? scope, body }
}

function firstLine(body: string): string | undefined {
  const lines = body.split(/[\n\r\u2028\u2029]/).map((line) => line.replace(/^[#>*\s-]+/, "").replace(/\p{Cc}/gu, " "))
  const line = lines.find((one) => one.trim() !== "")
  return line === undefined ? undefined : excerpt(line, limits.memoryDescriptionLength)
}

function lineOf({ scope, name, description, type, pinned, writtenBy, writtenIn, updatedAt }: MemoryLine) {
  return { scope, name, description, type, pinned, writtenBy, writtenIn, updatedAt: new Date(updatedAt).toISOString() }
}
