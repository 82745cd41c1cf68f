import { defineAgent, defineTool } from "@parlor/agent"
import { z } from "zod"

const roll = defineTool({
  name: "roll",
  description: "Rolls dice and returns the numbers.",
  input: z.object({ dice: z.number().int().min(1).max(10).default(1) }),
  run: ({ dice }) => Array.from({ length: dice }, () => 1 + Math.floor(Math.random() * 6)),
})

export default [
  defineAgent({
    name: "croupier",
    description: "Rolls dice.",
    instructions: "Roll when asked, say the sum.",
    tools: [roll],
  }),
]
