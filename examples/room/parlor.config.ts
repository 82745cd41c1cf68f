import { defineAgent, defineConfig } from "@parlor/agent"

const planner = defineAgent({
  name: "planner",
  description: "Makes a plan with you.",
  instructions: "Make a plan together with the person, in short numbered steps. Take up what guests say.",
})

const critic = defineAgent({
  name: "critic",
  description: "Finds what is missing.",
  instructions: "Say the one thing that is most likely to go wrong, and what to do about it. Two sentences.",
  memory: false,
  workspace: false,
})

const scribe = defineAgent({
  name: "scribe",
  description: "Writes down what was decided.",
  instructions: "Write down what was decided, as short notes: decisions, open questions, next steps.",
  memory: false,
  workspace: false,
})

export default defineConfig({ agents: [planner, critic, scribe] })
