/** The tools and prompts of a server, and whether it has resources. Read page by page, within limits. */
import type { Client } from "@modelcontextprotocol/client"
import { type Definition, definitionDefect, definitionOf } from "./definition.ts"

export type Prompt = {
  readonly name: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
}

export type Catalogue = {
  readonly tools: readonly Definition[]
  /** Tools that are not offered, with the reason. */
  readonly leftOut: readonly { readonly tool: string; readonly why: string }[]
  readonly prompts: readonly Prompt[]
  readonly hasResources: boolean
}

export const EMPTY: Catalogue = { tools: [], leftOut: [], prompts: [], hasResources: false }

const MAX_PAGES = 20
const MAX_TOOLS = 64
const MAX_PROMPTS = 64
const MAX_ARGUMENTS = 20
const LIST_MS = 30_000

export async function readCatalogue(client: Client): Promise<Catalogue> {
  const can = client.getServerCapabilities() ?? {}
  const tools = can.tools === undefined ? [] : await readTools(client)
  const prompts = can.prompts === undefined ? [] : await readPrompts(client)
  const sound = tools.filter((tool) => definitionDefect(tool) === undefined)
  const distinct = sound.filter((tool, index) => sound.findIndex(({ name }) => name === tool.name) === index)
  return {
    tools: distinct.slice(0, MAX_TOOLS),
    leftOut: [
      ...tools.flatMap((tool) => {
        const why = definitionDefect(tool)
        return why === undefined ? [] : [{ tool: tool.name.slice(0, 256), why }]
      }),
      ...distinct
        .slice(MAX_TOOLS)
        .map(({ name }) => ({ tool: name, why: `a server can offer at most ${MAX_TOOLS} tools` })),
    ].slice(0, MAX_TOOLS),
    prompts,
    hasResources: can.resources !== undefined,
  }
}

async function readTools(client: Client): Promise<readonly Definition[]> {
  return pages(async (cursor) => {
    const { tools, nextCursor } = await client.request({ method: "tools/list", params: cursor }, { timeout: LIST_MS })
    return { list: tools.map(definitionOf), nextCursor }
  })
}

async function readPrompts(client: Client): Promise<readonly Prompt[]> {
  const prompts = await pages(async (cursor) => {
    const page = await client.request({ method: "prompts/list", params: cursor }, { timeout: LIST_MS })
    return { list: page.prompts, nextCursor: page.nextCursor }
  })
  return prompts.slice(0, MAX_PROMPTS).map(({ name, description = "", arguments: args = [] }) => ({
    name,
    description,
    arguments: args.slice(0, MAX_ARGUMENTS).map((argument) => ({
      name: argument.name,
      description: argument.description ?? "",
      required: argument.required ?? false,
    })),
  }))
}

type Page<T> = { readonly list: readonly T[]; readonly nextCursor?: string | undefined }

/** The client's own `listTools` reads all pages and fails when there are too many. */
async function pages<T>(read: (cursor: { cursor?: string }) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { list, nextCursor } = await read(cursor === undefined ? {} : { cursor })
    all.push(...list)
    if (nextCursor === undefined || nextCursor === cursor) break
    cursor = nextCursor
  }
  return all
}
