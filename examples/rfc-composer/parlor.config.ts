/** Every API that the composer RFC names, in one agent. */
import {
  type ComposerInputPayload,
  commandIn,
  defineAgent,
  defineSlashCommand,
  type HandlerContext,
  nodesOf,
  skillsLoader,
} from "@parlor/agent"
import { z } from "zod"

export const order = defineSlashCommand({
  name: "order",
  description: "Looks up an order",
  arguments: [{ name: "order_id", type: "string", required: true, description: "Such as A-7" }],
})

const agent = defineAgent({
  name: "horton",
  description: "Reviews changes and looks up orders.",
  shippedSkills: ["quickstart"],
  slashCommands: [order, { name: "pr-review", description: "Reviews a pull request" }, { name: "worktree" }],
  inbox: { build_done: z.object({ ok: z.boolean() }) },
  handler: async (ctx) => {
    await skillsLoader(ctx)
    if (ctx.wake.type === "inbox" && ctx.wake.message.message_type === "build_done")
      return ctx.reply(ctx.wake.message.payload.ok ? "The build is green." : "The build failed.")
    if (ctx.wake.type === "inbox" && ctx.wake.message.message_type === "composer_input")
      await resolve(ctx, ctx.wake.message.payload)
    await ctx.run()
  },
})

/** A helper for any agent: `HandlerContext` without arguments takes every context. */
async function resolve(ctx: HandlerContext, payload: ComposerInputPayload): Promise<void> {
  const found = commandIn(ctx.wake, order)
  if (found?.ok === false) throw new Error(found.problem)
  if (found?.ok) {
    const { order_id } = found.arguments
    const metadata = { command: "order", order_id, question: found.rest }
    await ctx.insertContext({ type: "order", title: `Order ${order_id}`, content: "On its way.", metadata })
  }
  for (const { name } of nodesOf(payload, "branch"))
    await ctx.slashCommands.register({ name: "compare", description: `Compares with ${name}` })
  for (const node of payload.nodes ?? [])
    if (node.kind === "slash_command" && node.name === "worktree" && ctx.slashCommands.get("compare") !== undefined)
      if (nodesOf(payload, "branch").length === 0) await ctx.slashCommands.unregister("compare")
  ctx.log.info("commands", { count: ctx.slashCommands.list().length })
}

export default [agent]
