import { defineAgent } from "@parlor/agent"
import { stepCountIs, streamText, tool } from "ai"
import { z } from "zod"

const weather = tool({
  description: "The weather in a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, sky: "clear", celsius: 21 }),
})

export default [
  defineAgent({
    name: "forecaster",
    description: "Says what the weather is like.",
    handler: (ctx) =>
      ctx.reply(({ signal }) =>
        streamText({
          model: "openai/gpt-5-mini",
          system: "Answer in one sentence.",
          messages: [...ctx.conversation.transcript()],
          tools: { weather },
          stopWhen: stepCountIs(5),
          abortSignal: signal,
        }),
      ),
  }),
]
