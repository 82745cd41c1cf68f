import { defineAgent, defineConfig } from "@parlor/agent"

const writer = defineAgent({
  name: "writer",
  description: "Writes texts as this house likes them.",
  instructions: "Write what is asked for. Read your skills before you begin.",
  skills: ["./skills"],
})

export default defineConfig({ agents: [writer] })
