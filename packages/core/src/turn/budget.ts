/** A budget pauses the turn and asks; it does not cut (TRN-14). */
import { addUsage, type TurnRow, type Usage } from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import { decide, readState } from "../conversation/decide.ts"
import { statusChange } from "../conversation/state.ts"
import type { Node } from "../node.ts"
import { ask } from "./ask.ts"
import type { Drive } from "./owned.ts"
import { StopAsked } from "./stop-asked.ts"

export async function keepWithinBudget(
  node: Node,
  drive: Drive,
  turn: TurnRow,
  agent: Agent,
  signal: AbortSignal,
): Promise<void> {
  const { budgetTokens } = agent
  if (budgetTokens === undefined) return
  const { status } = await readState(node, drive.stream)
  const spent = tokensOf(addUsage(status.usage, turn.usage))
  if (spent < budgetTokens + status.grantedTokens) return
  const answer = await ask(
    node,
    drive,
    turn,
    {
      kind: "approval",
      title: `${agent.name} has used its budget. May it go on?`,
      detail: `${spent} tokens were used in this conversation. Allowing it adds ${budgetTokens}.`,
      call: `budget-${turn.steps}`,
    },
    signal,
  )
  if (answer !== true) throw new StopAsked("hold")
  await grant(node, drive, spent)
}

async function grant(node: Node, drive: Drive, tokens: number): Promise<void> {
  await decide(
    node,
    drive.stream,
    (state) => {
      const status = { ...state.status, grantedTokens: tokens }
      return { answer: undefined, changes: [statusChange(status)], status, queued: state.queued, active: true }
    },
    { txid: drive.txid, owner: drive },
  )
}

function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens
}
