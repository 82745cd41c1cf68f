/** How the demo model works with files and time: with the agent's tools, if it has them. */
import type { ModelRequest } from "@parlor/core"
import { type Script, say } from "./script.ts"

const msIn = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const

export function writeFile(request: ModelRequest, path: string): Script {
  if (!isOffered(request, "write_file")) return say("I cannot write files: this agent has no workspace.")
  const title = path.replace(/^.*\//, "").replace(/\.\w+$/, "")
  const content = `# ${title}\n\n1. Write something down.\n2. Change your mind.\n3. Roll back, and have both.\n`
  return [
    ...say(`I write \`${path}\`. Look at **Files**; roll back to your message, and it is gone again.`),
    { type: "call", name: "write_file", input: { path, content } },
  ]
}

export function wakeUp(request: ModelRequest, count: string, unit: string): Script {
  if (!isOffered(request, "request_wakeup")) return say("I cannot wake myself up: this agent has no wakeups.")
  const delayMs = Number(count) * msIn[unit.toLowerCase() as keyof typeof msIn]
  const input = { when: { delayMs }, prompt: "say Good morning. You asked me to wake up.", reason: "You asked for it." }
  return [...say(`I sleep for ${count} ${unit}s now.`), { type: "call", name: "request_wakeup", input }]
}

function isOffered(request: ModelRequest, name: string): boolean {
  return request.tools.some((tool) => tool.name === name)
}
