/**
 * A coding agent that is somebody else's program: opencode, Claude Code, Codex, Gemini, or anything that speaks ACP.
 *
 *   npm install -g opencode-ai
 *   cd examples/coding-agent && npm start
 *
 * CODER names another program, such as `CODER=claude-agent-acp`. It gets the API keys below, if they are set, and
 * nothing else of the server's environment.
 */
import { defineAgent, defineConfig } from "@parlor/agent"

const KEYS = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"]
const env = Object.fromEntries(KEYS.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))

export default defineConfig({
  agents: [
    defineAgent({
      name: "coder",
      description: "Writes code in this conversation's workspace.",
      instructions: "Explain what you changed in one short paragraph at the end.",
      acp: { command: (process.env.CODER ?? "opencode acp").split(" "), env },
      // Messages that wait continue after a stop: "no, do this instead" is what a stop is usually for.
      onStop: "drain",
    }),
  ],
})
