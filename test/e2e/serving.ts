/** Parlor with an agent of the test's own: `host`, with tools that ask, allowed or not. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createRuntime, defineTool, type Tool } from "@parlor/core"
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

export async function startAsking({ folder, token, port, modelUrl }: AskingParts): Promise<Serving> {
  const model = await resolveModel("compatible/steered", { OPENAI_BASE_URL: modelUrl })
  const store = await openSqlite({ path: join(folder, "parlor.db") })
  const clock = systemClock
  const log = createLog({ level: "error", secrets: [token] })
  const host = { name: "host", description: "Asks before it acts.", instructions: "Ask.", model, tools, commands: [] }
  const spool = openSpool(join(folder, "spool.jsonl"))
  const ids = randomIds(clock)
  const runtime = createRuntime({ store, spool, clock, ids, random: systemRandom, log, agents: [host] })
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
