/**
 * A budget pauses the turn and asks; it does not cut it off (TRN-14).
 *
 * One for the conversation, one for the person across all their conversations with the agent. Allowing it once adds the
 * same amount again.
 */
import { addUsage, parseRow, type StatusRow, type Usage } from "@parlor/protocol"
import { ask } from "../ask/ask.ts"
import { feedStream } from "../log/address.ts"
import { decide, readState } from "../log/decide.ts"
import type { Owner } from "../log/owner.ts"
import { statusChange } from "../log/state.ts"
import { orHandedOver } from "../model-call/hand-over.ts"
import type { Run } from "./run.ts"
import { StopAsked } from "./stop-asked.ts"
import type { TurnAccess } from "./turn-access.ts"

type Budget = {
  readonly tokens: number
  readonly spent: number
  readonly granted: number
  readonly where: string
  readonly field: "grantedTokens" | "personGrantedTokens"
}

export async function keepWithinBudget(run: Run): Promise<void> {
  const { budgetTokens, personBudgetTokens } = run.brief.speaker
  if (budgetTokens === undefined && personBudgetTokens === undefined) return
  const { node, turn } = run
  const { owner } = run.parts
  const { status } = await readState(node, owner.stream)
  const here = tokensOf(addUsage(status.usage, turn.usage))
  if (budgetTokens !== undefined) {
    const granted = status.grantedTokens
    const where = "in this conversation"
    const budget = { tokens: budgetTokens, spent: here, granted, where, field: "grantedTokens" } as const
    await askWhenSpent(run, budget)
  }
  if (personBudgetTokens !== undefined) {
    const others = await spentElsewhere(node, owner)
    const spent = here + others.tokens
    const granted = (status.personGrantedTokens ?? 0) + others.granted
    const where = "by this person, in all conversations with it"
    const budget = { tokens: personBudgetTokens, spent, granted, where, field: "personGrantedTokens" } as const
    await askWhenSpent(run, budget)
  }
}

async function askWhenSpent({ node, parts, turn, brief }: Run, budget: Budget): Promise<void> {
  if (budget.spent < budget.tokens + budget.granted) return
  const { owner, abort } = parts
  const asking = { owner, turn, signal: abort.signal }
  const asked = {
    kind: "approval",
    title: `${brief.speaker.name} has used its budget. Continue?`,
    detail: `${budget.spent} tokens were used ${budget.where}. Allowing it adds ${budget.tokens}.`,
    call: `budget-${budget.field === "grantedTokens" ? "" : "person-"}${turn.steps}`,
  } as const
  const answer = await orHandedOver(node, abort.signal, ask(node, asking, asked))
  if (answer !== true) throw new StopAsked("hold")
  await grant(node, owner, budget)
}

/** The budget starts over from what is spent. */
async function grant(node: TurnAccess, owner: Owner, { field, spent, granted }: Budget): Promise<void> {
  await decide(
    node,
    owner.stream,
    (state) => {
      const here = (state.status[field] ?? 0) + spent - granted
      const status: StatusRow = { ...state.status, [field]: here }
      return { answer: undefined, changes: [statusChange(status)] }
    },
    { txid: owner.txid, owner },
  )
}

async function spentElsewhere(node: TurnAccess, { address }: Owner): Promise<{ tokens: number; granted: number }> {
  const feed = await node.store.log.read(await feedStream(node, address.person), [{ collection: "conversations" }])
  const sum = { tokens: 0, granted: 0 }
  for (const row of feed?.lists[0] ?? []) {
    const { agent, branch, tokens, grantedTokens } = parseRow("conversations", row.value)
    if (agent !== address.agent || branch === address.branch) continue
    sum.tokens += tokens ?? 0
    sum.granted += grantedTokens ?? 0
  }
  return sum
}

function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens
}
