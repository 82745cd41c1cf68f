import { defineAgent, defineConfig, defineTool } from "@parlor/agent"
import { z } from "zod"

const brew = defineTool({
  name: "brew",
  description: "Brews a cup.",
  input: z.object({ drink: z.enum(["tea", "coffee"]), sugar: z.number().int().min(0).max(3).default(0) }),
  run: ({ drink, sugar }) => ({ cup: drink, sugar, ready: true }),
})

const barista = defineAgent({
  name: "barista",
  description: "Makes tea and coffee.",
  instructions: "You are a friendly barista. Ask what the person would like, brew it, serve it in one sentence.",
  tools: [brew],
  slashCommands: [{ name: "usual", description: "The same as always" }],
  skills: ["./skills"],
})

export default defineConfig({ agents: [barista] })
