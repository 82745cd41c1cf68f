import { commandsIn, defineAgent, type HandlerContext } from "@parlor/agent"
import { z } from "zod"
import { lookUpOrder, readOrder, refund } from "./shop.ts"

/** What GitHub sends about an issue. */
const issueEvent = z.object({
  action: z.string(),
  issue: z.object({ number: z.number(), title: z.string(), body: z.string().nullish() }),
})

export const desk = defineAgent({
  name: "desk",
  description: "Helps customers with their orders.",
  instructions: "Help with orders. Read the skill about refunds before you refund. Remember what customers prefer.",
  tools: [lookUpOrder, refund],
  skills: ["./skills"],
  inbox: { issue: issueEvent },
  slashCommands: [
    { name: "order", description: "Puts an order on the desk", arguments: [{ name: "id", required: true }] },
  ],
  handler: async (ctx) => {
    const { message } = ctx.wake
    if (message.message_type === "issue") await openIssue(ctx, message.payload)
    for (const { name, text } of commandsIn(ctx.wake)) {
      if (name === "order") await showOrder(ctx, text)
      const known = ctx.slashCommands.get(name)
      if (known?.owner === "issues") ctx.instruct(`The person asks about this issue: ${known.description}`)
    }
    await ctx.run()
  },
})

/** Each open issue has its own command until it is closed. */
async function openIssue(ctx: HandlerContext, { action, issue }: z.output<typeof issueEvent>): Promise<void> {
  const name = `issue-${issue.number}`
  if (action === "closed") await ctx.slashCommands.unregister(name)
  else await ctx.slashCommands.register({ name, description: issue.title, owner: "issues" })
  const content = `${issue.title}\n\n${issue.body ?? ""}`
  await ctx.insertContext({ type: "issue", title: `Issue ${issue.number} was ${action}`, content })
}

async function showOrder(ctx: HandlerContext, text: string): Promise<void> {
  const [id = ""] = text.split(/\s/)
  const content = JSON.stringify(await readOrder(id, ctx.signal))
  await ctx.insertContext({ type: "order", title: `Order ${id}`, content, metadata: { command: "order", id } })
}
