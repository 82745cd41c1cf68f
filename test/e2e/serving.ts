/** Parlor with agents for tests: a `host` whose tools ask, or one with commands and files. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Agent, createRuntime, defineTool, type Handler, type Model, type Tool } from "@parlor/core"
import { openFiles } from "@parlor/files"
import { resolveModel } from "@parlor/models"
import { createLog, randomIds, startServer, systemClock, systemRandom } from "@parlor/server"
import { openSpool, openSqlite } from "@parlor/store"
import { z } from "zod"
import type { Serving } from "../../packages/cli/src/serve.ts"

export type AskingParts = {
  readonly folder: string
  readonly token: string
  readonly port: number
  readonly modelUrl: string
}

const PAGE = fileURLToPath(new URL("../../packages/web/dist", import.meta.url))

/** `host`, with tools that ask for approval or ask questions. */
export function startAsking(parts: AskingParts): Promise<Serving> {
  return startWith(parts, (model) => [
    { name: "host", description: "Asks before it acts.", instructions: "Ask.", model, tools, slashCommands: [] },
  ])
}

/** `host`, with dynamic commands and a workspace, and `critic`. */
export function startCommanding(parts: AskingParts): Promise<Serving> {
  return startWith(parts, (model) => {
    const rest = { instructions: "Help.", model, tools: [], slashCommands: [], workspace: true }
    return [
      { ...rest, name: "host", description: "Takes commands.", slashCommands: [deploy, help], handler: learning },
      { ...rest, name: "critic", description: "Finds the weak spot." },
    ]
  })
}

/** Agents of these names. */
export function startNamed(parts: AskingParts, names: readonly string[]): Promise<Serving> {
  const rest = { description: "Helps.", instructions: "Help.", tools: [], slashCommands: [] }
  return startWith(parts, (model) => names.map((name) => ({ ...rest, name, model })))
}

async function startWith(
  { folder, token, port, modelUrl }: AskingParts,
  agentsOn: (model: Model) => readonly Agent[],
): Promise<Serving> {
  const model = await resolveModel("compatible/steered", { OPENAI_BASE_URL: modelUrl })
  const store = await openSqlite({ path: join(folder, "parlor.db") })
  const clock = systemClock
  const log = createLog({ level: "error", secrets: [token] })
  const files = openFiles({ root: join(folder, "files") })
  const spool = openSpool(join(folder, "spool.jsonl"))
  const ids = randomIds(clock)
  const runtime = createRuntime({ store, files, spool, clock, ids, random: systemRandom, log, agents: agentsOn(model) })
  const listening = { host: "127.0.0.1", port, token, pageFolder: PAGE, version: "test" }
  const server = await startServer({ ...listening, runtime, store, clock, log })
  await runtime.start()
  return {
    url: server.url,
    token,
    async close() {
      await server.close()
      await runtime.close()
      await store.close()
    },
  }
}

const deploy: Agent["slashCommands"][number] = {
  name: "deploy",
  description: "Puts it out.",
  arguments: [
    { name: "environment", type: "string", required: true, description: "Where to" },
    { name: "count", type: "number", required: false, description: "How many" },
  ],
  owner: null,
}
const help: Agent["slashCommands"][number] = {
  name: "help",
  description: "Says what it can do.",
  arguments: [],
  owner: null,
}

/** `learn NAME` registers a command, `forget NAME` removes it; everything else goes to the model. */
const learning: Handler = async (ctx) => {
  const said = ctx.message.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  const [verb, name = ""] = said.split(" ")
  if (verb === "learn") await ctx.slashCommands.register({ name, description: "Learned just now." })
  else if (verb === "forget") await ctx.slashCommands.unregister(name)
  else return ctx.run()
  return ctx.reply("Very well.")
}

const deleteFile = defineTool({
  name: "delete_file",
  description: "Deletes a file.",
  input: z.object({ path: z.string() }),
  repeatable: false,
  approval: "always",
  run: async ({ path }) => `Deleted ${path}.`,
})

const askPerson = defineTool({
  name: "ask_person",
  description: "Asks the person.",
  input: z.object({
    question: z.string(),
    options: z.array(z.string()).optional(),
    expiresInMs: z.number().optional(),
  }),
  repeatable: true,
  run: async ({ question, options, expiresInMs }, { ask }) =>
    (await ask({
      kind: "question",
      title: question,
      ...(options ? { options } : {}),
      ...(expiresInMs === undefined ? {} : { expiresInMs }),
    })) ?? "Nobody answered.",
})

const bookTable = defineTool({
  name: "book_table",
  description: "Books a table, once it knows for whom.",
  input: z.object({}),
  repeatable: true,
  run: async (_, { ask }) =>
    (await ask({
      kind: "form",
      title: "Which table shall it be?",
      schema: {
        type: "object",
        properties: {
          name: { type: "string", title: "Name" },
          people: { type: "integer", title: "People", default: 2 },
          place: { type: "string", title: "Where", enum: ["inside", "outside"] },
          quiet: { type: "boolean", title: "A quiet corner, please" },
        },
        required: ["name", "people"],
      },
    })) ?? "Nobody answered.",
})

const tools: readonly Tool[] = [deleteFile, askPerson, bookTable]
