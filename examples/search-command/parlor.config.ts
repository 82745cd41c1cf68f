import { commandsIn, defineAgent } from "@parlor/agent"
import { type Article, search } from "./articles.ts"

const librarian = defineAgent({
  name: "librarian",
  description: "Answers from the house rules.",
  instructions: "Answer from the articles you are given and name the one you used. Without one, say you found nothing.",
  slashCommands: [
    {
      name: "search",
      description: "Looks something up in the house rules",
      arguments: [{ name: "words", type: "string", required: true, description: "What to look for" }],
    },
  ],
  handler: async (ctx) => {
    for (const { name, text } of commandsIn(ctx.wake)) {
      if (name !== "search") continue
      for (const article of search(text)) await ctx.insertContext(asContext(article))
    }
    await ctx.run()
  },
})

function asContext({ id, title, body }: Article) {
  return { type: "article", title, content: body, metadata: { command: "search", id } }
}

export default [librarian]
