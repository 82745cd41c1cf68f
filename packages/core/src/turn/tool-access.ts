/** What a tool of the agent's author may use besides its input (COD-4, COD-5). */
import type { ToolContext } from "../agent/tool.ts"
import { memoryAccess } from "../memory/access.ts"
import { workspaceOf } from "../workspace/workspace.ts"
import { agentMessages } from "./agent-messages.ts"
import { conversationView } from "./conversation-view.ts"
import type { Run } from "./run.ts"
import type { ToolAccess } from "./tools.ts"

export function toolAccess(run: Run, call: string, signal: AbortSignal, ask: ToolContext["ask"]): ToolAccess {
  const { node, parts, brief, turn } = run
  const { owner } = parts
  const { name } = brief.speaker
  const actor = { person: owner.address.person, by: `agent:${name}`, turn: turn.id, txid: owner.txid, owner, signal }
  let sends = 0
  return {
    workspace: workspaceOf(node, owner.stream, actor),
    memory: memoryAccess(node, owner.address, name, (question) => ask({ kind: "approval", ...question })),
    conversation: conversationView(run),
    ...agentMessages(run, () => `${call}-${++sends}`),
  }
}
