/**
 * What one person may use in a day (SEC-22): tokens, and money if prices are known.
 *
 *   within ──▶ goes on
 *   used up ─┬─ nobody waits for it ─────▶ waits, visibly, until tomorrow or until there is more
 *            ├─ the person may allow more ─▶ asks: yes ─▶ as much again; no ─▶ stopped, queue held
 *            └─ anybody else ────────────▶ the turn fails and says until when; the queue is held
 */
import type { Usage } from "@parlor/protocol"
import { ask } from "../ask/ask.ts"
import { orHandedOver, orStepHandedOver } from "../model-call/hand-over.ts"
import { showRetrying, showRunning, startedUnattended } from "../model-call/spender.ts"
import type { DayTotal } from "../ports/usage.ts"
import { dayOf, nextDay } from "../usage/day.ts"
import { TurnProblem } from "./problem.ts"
import type { Run } from "./run.ts"
import { StopAsked } from "./stop-asked.ts"
import type { TurnAccess } from "./turn-access.ts"

const BUDGET_EXCEEDED = "budget.exceeded"
/** Someone may have allowed more in the meantime, here or elsewhere. */
const LOOK_AGAIN_MS = 60_000
/** From here on the ledger is read before each step. */
const NEAR = 0.9

type Over = {
  readonly what: "tokens" | "cost"
  readonly used: number
  readonly limit: number
  readonly granted: number
}

export async function keepWithinDay(run: Run): Promise<void> {
  const { node, parts } = run
  let isShown = false
  for (let over = await overBudget(node, run); over !== undefined; over = await overBudget(node, run)) {
    if (startedUnattended(run.message) && run.turn.compaction === null) {
      await waitForMore(run, over, isShown)
      isShown = true
    } else if (node.settings.usage.mayAllowMore.includes(parts.owner.address.person)) await askForMore(run, over)
    else throw new TurnProblem(BUDGET_EXCEEDED, `${wordsOf(over)} ${whenWords(node)}`)
  }
  if (isShown) await showRunning(node, parts.owner, run.turn)
}

async function overBudget(node: TurnAccess, { parts }: Run): Promise<Over | undefined> {
  const { tokensPerDay, microsPerDay } = node.settings.usage
  if (tokensPerDay === null && microsPerDay === null) return undefined
  const isNear = (total: DayTotal) =>
    total.tokens >= NEAR * allowed(tokensPerDay, total.grantedTokens) ||
    total.costMicros >= NEAR * allowed(microsPerDay, total.grantedMicros)
  const known = node.dayTotals.today(parts.owner.address.person, isNear)
  const total = known instanceof Promise ? await known : known
  const { tokens, costMicros, grantedTokens, grantedMicros } = total
  if (tokensPerDay !== null && tokens >= tokensPerDay + grantedTokens)
    return { what: "tokens", used: tokens, limit: tokensPerDay, granted: grantedTokens }
  if (microsPerDay !== null && costMicros >= microsPerDay + grantedMicros)
    return { what: "cost", used: costMicros, limit: microsPerDay, granted: grantedMicros }
  return undefined
}

function allowed(limit: number | null, granted: number): number {
  return limit === null ? Number.POSITIVE_INFINITY : limit + granted
}

async function waitForMore({ node, parts, turn, brief }: Run, over: Over, isShown: boolean): Promise<void> {
  const now = node.clock.now()
  const until = nextDay(now)
  const error = { code: BUDGET_EXCEEDED, detail: `${wordsOf(over)} ${whenWords(node)}` }
  if (!isShown) await showRetrying(node, parts.owner, turn, { attempt: 1, retryAt: until, error, unread: true })
  const waitMs = Math.min(until - now, LOOK_AGAIN_MS)
  const waited = new Promise<void>((resolve) => void node.clock.after(waitMs, resolve))
  await orStepHandedOver(node, brief, parts.abort.signal, waited)
  await node.dayTotals.read(parts.owner.address.person)
}

async function askForMore({ node, parts, turn }: Run, over: Over): Promise<void> {
  const { owner, abort } = parts
  const asking = { owner, turn, signal: abort.signal }
  const asked = {
    kind: "approval",
    title: "Today's budget is used up. Continue?",
    detail: `${wordsOf(over)} Allowing it adds as much again for today.`,
    call: `budget-day-${over.what}-${turn.steps}-${over.granted}`,
  } as const
  const answer = await orHandedOver(node, abort.signal, ask(node, asking, asked))
  if (answer !== true) throw new StopAsked("hold")
  // The same amount again, from what is used by now.
  const more = over.used - over.granted
  const none = { inputTokens: 0, outputTokens: 0, costMicros: 0, calls: 0 }
  const line = {
    ...none,
    person: owner.address.person,
    day: dayOf(node.clock.now()),
    source: "granted",
    agent: owner.address.agent,
    model: "",
    ...(over.what === "tokens" ? { inputTokens: more } : { costMicros: more }),
  } as const
  owner.meter.add(line)
  node.dayTotals.add(line)
}

function wordsOf({ what, used, limit, granted }: Over): string {
  const words = (count: number) => (what === "tokens" ? `${count} tokens` : dollars({ costMicros: count }))
  return `Today's budget of ${words(limit + granted)} is used up (${words(used)} used).`
}

function dollars({ costMicros }: Pick<Usage, "costMicros">): string {
  return `$${(costMicros / 1_000_000).toFixed(2)}`
}

function whenWords(node: TurnAccess): string {
  const at = new Date(nextDay(node.clock.now())).toISOString().slice(0, 16).replace("T", " ")
  return `The next one begins at ${at} UTC; the server's operator can raise it.`
}
