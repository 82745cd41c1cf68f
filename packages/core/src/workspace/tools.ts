/** The tools by which an agent works on the files of a conversation (WSP-2). Created for each turn. */
import { limits, type TurnRow } from "@parlor/protocol"
import { z } from "zod"
import { defineTool, type Tool, type ToolContext } from "../agent/tool.ts"
import type { WorkspaceAccess } from "../agent/workspace-access.ts"
import type { Owner } from "../log/owner.ts"
import { decodeText } from "./content.ts"
import type { FileAccess } from "./file-access.ts"
import { linesFrom } from "./lines.ts"
import { workspaceOf } from "./workspace.ts"

const MAX_LISTED = 1_000
const MAX_EDITS = 100

const path = z
  .string()
  .min(1)
  .max(limits.filePathLength)
  .describe("A path such as notes/plan.md, segments separated by /")
const line = z.number().int().positive()

const listInput = z.object({ path: path.describe("Only files in this folder").optional() })
const readInput = z.object({
  path,
  from: line.describe("The first line to read").optional(),
  to: line.describe("The last line to read").optional(),
})
const writeInput = z.object({ path, content: z.string().describe("The whole new content") })
const edit = z.object({
  old: z.string().min(1).describe("The exact text to replace; it must occur only once in the file"),
  new: z.string().describe("The replacement"),
})
const editInput = z.object({ path, edits: z.array(edit).min(1).max(MAX_EDITS) })
const pathInput = z.object({ path })
const moveInput = z.object({ from: path, to: path })
const searchInput = z.object({
  query: z.string().min(1).max(limits.searchLength).describe("Plain text, case-insensitive"),
  path: path.describe("Only this file, or files in this folder").optional(),
})

export function workspaceTools(node: FileAccess, owner: Owner, turn: TurnRow, agent: string): readonly Tool[] {
  const files = ({ signal }: ToolContext): WorkspaceAccess =>
    workspaceOf(node, owner.stream, {
      person: owner.address.person,
      by: `agent:${agent}`,
      turn: turn.id,
      txid: owner.txid,
      owner,
      signal,
    })
  return [...readingTools(files), ...changingTools(files)]
}

type Opening = (context: ToolContext) => WorkspaceAccess

function readingTools(files: Opening): readonly Tool[] {
  return [
    defineTool({
      name: "list_files",
      description: "Lists the files of this conversation's workspace. People may add and edit files there too.",
      input: listInput,
      repeatable: true,
      run: async ({ path: folder }, context) => {
        const place = folder?.replace(/\/$/, "")
        const all = (await files(context).list()).filter((file) => isIn(file.path, place))
        const listed = all.slice(0, MAX_LISTED).map(({ path, bytes, by }) => ({ path, bytes, by }))
        return { files: listed, ...(all.length > MAX_LISTED ? { more: all.length - MAX_LISTED } : {}) }
      },
    }),
    defineTool({
      name: "read_file",
      description: "Reads a text file, or the given lines of it.",
      input: readInput,
      repeatable: true,
      run: async ({ path, from, to }, context) => {
        const { content, bytes } = await files(context).read(path)
        const text = decodeText(content)
        if (text === undefined) return { path, bytes, binary: true }
        return { path, ...linesFrom(text, from, to) }
      },
    }),
    defineTool({
      name: "search_files",
      description: "Finds the lines that contain a text, in all files or some of them.",
      input: searchInput,
      repeatable: true,
      run: async ({ query, path }, context) => {
        const { matches, more } = await files(context).search(query, path === undefined ? {} : { path })
        return { matches: [...matches], ...(more ? { more } : {}) }
      },
    }),
  ]
}

/** After a crash a repeated edit would find the file already changed, so only writing is repeatable. */
function changingTools(files: Opening): readonly Tool[] {
  return [
    defineTool({
      name: "write_file",
      description: "Creates a text file, or replaces it completely. To change a part, use edit_file.",
      input: writeInput,
      repeatable: true,
      run: async ({ path, content }, context) => {
        const { bytes } = await files(context).write(path, content)
        return { path, bytes }
      },
    }),
    defineTool({
      name: "edit_file",
      description: "Replaces parts of a text file. Each part is identified by its text, which must occur exactly once.",
      input: editInput,
      repeatable: false,
      run: async ({ path, edits }, context) => {
        const { bytes } = await files(context).edit(path, edits)
        return { path, bytes, edits: edits.length }
      },
    }),
    defineTool({
      name: "delete_file",
      description: "Deletes a file.",
      input: pathInput,
      repeatable: false,
      run: async ({ path }, context) => {
        await files(context).delete(path)
        return { path, deleted: true }
      },
    }),
    defineTool({
      name: "move_file",
      description: "Moves or renames a file. The new path must not exist.",
      input: moveInput,
      repeatable: false,
      run: async ({ from, to }, context) => {
        await files(context).move(from, to)
        return { from, to }
      },
    }),
  ]
}

function isIn(path: string, folder: string | undefined): boolean {
  return folder === undefined || path === folder || path.startsWith(`${folder}/`)
}
