import { defineAgent, defineTool } from "@parlor/agent"
import { z } from "zod"

/** A tool of our own on the same workspace: what it writes is recorded like everything else. */
const newReport = defineTool({
  name: "new_report",
  description: "Creates a report from the files of the workspace.",
  input: z.object({ title: z.string().max(100) }),
  run: async ({ title }, { workspace }) => {
    const files = await workspace.list()
    const lines = files.map(({ path, bytes }) => `- ${path}: ${bytes} bytes`)
    await workspace.write("report.md", [`# ${title}`, "", ...lines, ""].join("\n"))
    return { written: "report.md", files: files.length }
  },
})

export default [
  defineAgent({
    name: "runner",
    description: "Writes small programs and runs them.",
    instructions: "Write files, run them with the run tool, and say what came out.",
    tools: [newReport],
    run: { timeMs: 30_000 },
  }),
]
