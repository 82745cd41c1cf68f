/** The most common flows over HTTP: commands, skills and references in one line of text. */
import { commandsIn, type Handler, type HandlerContext, type Skill, skillsLoader } from "@parlor/core"
import { says } from "@parlor/core/testing"
import { type MessageRow, parseComposer, routes } from "@parlor/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { follow, read } from "./client.ts"
import { open, pathOf, untilTurnEnds } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"

const quickstart: Skill = {
  name: "quickstart",
  description: "Shows around.",
  body: "Say hello, then show the queue.",
  files: {},
}
const tea: Skill = { name: "tea", description: "How tea is made.", body: "Warm the pot first.", files: {} }

/** The author's code: `/search` looks up articles, `/learn` and `/forget` change the commands. */
const handler: Handler = async (ctx) => {
  await skillsLoader(ctx)
  for (const { name, text } of commandsIn(ctx.wake)) await carryOut(ctx, name, text)
  await ctx.run()
}

async function carryOut(ctx: HandlerContext, name: string, text: string): Promise<void> {
  if (name === "search")
    await ctx.insertContext({
      type: "search",
      title: text,
      content: `Found: ${text.toUpperCase()}`,
      metadata: { command: name },
    })
  if (name === "learn" || name === "tea") await skillsLoader(ctx, { owner: "learnt", skills: [tea] })
  if (name === "override") await ctx.slashCommands.register({ name: "search", description: "Searches elsewhere" })
  if (name === "break") throw new Error("The shelf is empty.")
  if (name === "reveal") await ctx.slashCommands.unregister("search")
}

const command = (name: string, description: string) => ({ name, description, arguments: [], owner: null })

describe.each(STORES)("what an author's agent does, on %s", (kind) => {
  let server: TestServer
  const path = pathOf("host", "main")

  beforeAll(async () => {
    const commands = ["search", "learn", "override", "reveal", "break"].map((name) =>
      command(name, `The static ${name}`),
    )
    server = await startTestServer({ kind, agent: { handler, skills: [quickstart], slashCommands: commands } })
  })
  afterAll(() => server.close())

  const say = async (source: string): Promise<MessageRow> => {
    const { slashCommands: commands } = await open(server, path)
    const payload = parseComposer(source, { commands: commands.map(({ name }) => name), agents: [] })
    server.script(says("Done."))
    const body = { type: "composer_input", payload }
    const sent = await read(server, routes.send.answer.schema, "POST", `${path}/messages`, { body })
    await untilTurnEnds(server, path, sent)
    const { messages } = await open(server, path)
    return messages.find(({ id }) => id === sent.message) as MessageRow
  }
  const contexts = ({ parts }: MessageRow) => parts.flatMap((part) => (part.type === "context" ? [part.content] : []))
  const seen = () => JSON.stringify(server.requests.at(-1)?.messages)
  const described = async (name: string) =>
    (await open(server, path)).slashCommands.find((known) => known.name === name)?.description

  test("[CMP-11] a skill's command brings its content, and the text typed is kept whole", async () => {
    const message = await say("/quickstart please")
    expect(contexts(message)).toEqual([expect.stringContaining("Say hello, then show the queue.")])
    expect(message.composer?.source).toBe("/quickstart please")
    expect(seen()).toContain("Say hello, then show the queue.")
  })

  test("[CMP-10, CMP-13] a single /search puts what was found before the model, once, and not the command itself", async () => {
    const message = await say("/search tulips")
    expect(contexts(message)).toEqual(["Found: TULIPS"])
    expect(seen()).toContain("Found: TULIPS")
    expect(server.requests.at(-1)?.messages.at(-1)).not.toMatchObject({ text: expect.stringContaining("/search") })
  })

  test("[CMP-3, CMP-11] several commands and references in one line are all understood", async () => {
    const message = await say("/quickstart and /search bulbs in @src/garden.ts:10-20 see #Plot, then /nosuch")
    expect(message.composer?.nodes?.map(({ kind: is }) => is)).toEqual([
      "slash_command",
      "slash_command",
      "file",
      "symbol",
    ])
    expect(contexts(message)).toHaveLength(2)
    expect(seen()).toContain("Say hello, then show the queue.")
    expect(seen()).toContain("src/garden.ts")
    expect(seen()).toContain("/nosuch")
  })

  test("[CMP-8, CMP-11] a skill-backed command is registered, invoked, overridden and revealed, watched live", async () => {
    const watching = await follow(server, `${path}/events?offset=now&live=sse`)
    await say("/learn")
    await watching.until((text) => text.includes("How tea is made."))
    expect(contexts(await say("/tea now"))).toEqual([expect.stringContaining("Warm the pot first.")])
    await say("/override")
    await watching.until((text) => text.includes("Searches elsewhere"))
    expect(await described("search")).toBe("Searches elsewhere")
    await say("/reveal")
    expect(await described("search")).toBe("The static search")
    watching.leave()
  })

  test("[CMP-14] what a handler throws is the turn's error, seen in the conversation, and the next message is answered", async () => {
    await say("/break")
    expect((await open(server, path)).status).toMatchObject({
      state: "error",
      error: { code: "handler.failed", detail: expect.stringContaining("The shelf is empty.") },
    })
    expect(contexts(await say("/search again"))).toEqual(["Found: AGAIN"])
  })
})
