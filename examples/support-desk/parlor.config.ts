import { defineAgent, defineConfig } from "@parlor/agent"
import { desk } from "./desk.ts"

/** A guest: `@lawyer may we refuse this?` */
const lawyer = defineAgent({
  name: "lawyer",
  description: "Knows what the law says about returns.",
  instructions: "Say in two sentences what the law says about the question, and how sure you are.",
})

export default defineConfig({
  agents: [desk, lawyer],
  schedules: {
    morning: { agent: "desk", when: { cron: "0 9 * * 1-5", timeZone: "Europe/Berlin" }, text: "What is still open?" },
  },
  webhooks: {
    github: { agent: "desk", style: "github", type: "issue", secretEnv: "GITHUB_WEBHOOK_SECRET" },
  },
  mcp: {
    handbook: {
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-filesystem", "./handbook"],
      agents: ["desk"],
    },
  },
})
