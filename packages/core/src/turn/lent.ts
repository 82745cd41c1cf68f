/** The context of a message's commands that are prompts of MCP servers (TRG-6). */
import type { MessageRow } from "@parlor/protocol"
import type { NewContext } from "../agent/handler.ts"
import { commandsOf } from "../agent/wake.ts"
import { OUTSIDE_OWNER } from "../slash-command/command.ts"
import type { Run } from "./run.ts"

/** Prompts fetched per message; further ones are left as typed. */
const MAX_PROMPTS = 8

/** Context that is already there, after a crash, is not fetched again. */
export async function lentContexts(run: Run, message: MessageRow): Promise<readonly NewContext[]> {
  const { toolsets } = run.node
  if (toolsets === undefined || message.composer === null) return []
  const there = new Set(message.parts.flatMap((part) => (part.type === "context" ? [part.title] : [])))
  const named = commandsOf(message.composer).filter(
    ({ name }) => run.commands.get(name)?.owner?.startsWith(OUTSIDE_OWNER) === true && !there.has(name),
  )
  const contexts: NewContext[] = []
  for (const command of named.slice(0, MAX_PROMPTS)) {
    const context = await toolsets.contextFor(run.brief.speaker.name, command, run.parts.abort.signal)
    if (context !== undefined) contexts.push(context)
  }
  return contexts
}
