/**
 * What one person may use in a day (SEC-22): tokens, and money if prices are known.
 *
 *   within ──▶ goes on
 *   used up ─┬─ nobody waits for it ─────▶ waits, visibly, until tomorrow or until there is more
 *            ├─ the person may allow more ─▶ asks: yes ─▶ as much again; no ─▶ stopped, queue held
 *            ├─ it is their own limit ─────▶ asks them, too (SET-7)
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
const MICROS_PER_DOLLAR = 1_000_000

type Over = {
  readonly what: "tokens" | "cost"
  /** The person's own limit, not the server's. */
  readonly isOwn: boolean
  readonly used: number
  readonly limit: number
  readonly granted: number
}

export async function keepWithinDay(run: Run): Promise<void> {
  const { node, parts } = run
  let isShown = false
  // What was allowed here may not be in the ledger yet: it is written with the next step.
  const granted = { tokens: 0, cost: 0 }
  for (let over = await overBudget(run, granted); over !== undefined; over = await overBudget(run, granted)) {
    if (startedUnattended(run.message) && run.turn.compaction === null) {
      await waitForMore(run, over, isShown)
      isShown = true
    } else if (over.isOwn || mayAllowMore(node, run)) granted[over.what] = over.granted + (await askForMore(run, over))
    else throw new TurnProblem(BUDGET_EXCEEDED, `${wordsOf(over)} ${whenWords(node, over)}`)
  }
  if (isShown) await showRunning(node, parts.owner, run.turn)
}

type Granted = { readonly [what in Over["what"]]: number }

async function overBudget(run: Run, here: Granted): Promise<Over | undefined> {
  const { node } = run
  const { tokensPerDay, microsPerDay } = node.settings.usage
  const own = ownLimits(run)
  if ([tokensPerDay, microsPerDay, own.tokens, own.cost].every((limit) => limit === null)) return undefined
  const isNear = (total: DayTotal) =>
    total.tokens >= NEAR * allowed(least(tokensPerDay, own.tokens), total.grantedTokens) ||
    total.costMicros >= NEAR * allowed(least(microsPerDay, own.cost), total.grantedMicros)
  const known = node.dayTotals.today(run.parts.owner.address.person, isNear)
  const total = known instanceof Promise ? await known : known
  const grantedTokens = Math.max(total.grantedTokens, here.tokens)
  const grantedMicros = Math.max(total.grantedMicros, here.cost)
  // What people allow themselves beyond their own limit does not raise the server's.
  const server = (granted: number) => (mayAllowMore(node, run) ? granted : 0)
  const tokens = { what: "tokens", used: total.tokens } as const
  const cost = { what: "cost", used: total.costMicros } as const
  return [
    { isOwn: false, limit: tokensPerDay, granted: server(grantedTokens), ...tokens },
    { isOwn: false, limit: microsPerDay, granted: server(grantedMicros), ...cost },
    { isOwn: true, limit: own.tokens, granted: grantedTokens, ...tokens },
    { isOwn: true, limit: own.cost, granted: grantedMicros, ...cost },
  ].find((one): one is Over => one.limit !== null && one.used >= one.limit + one.granted)
}

function mayAllowMore(node: TurnAccess, { parts }: Run): boolean {
  return node.settings.usage.mayAllowMore.includes(parts.owner.address.person)
}

function ownLimits({ brief }: Run): { readonly tokens: number | null; readonly cost: number | null } {
  const { tokensPerDay, dollarsPerDay } = brief.budget ?? {}
  return {
    tokens: tokensPerDay ?? null,
    cost: dollarsPerDay === undefined ? null : Math.round(dollarsPerDay * MICROS_PER_DOLLAR),
  }
}

function least(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}

function allowed(limit: number | null, granted: number): number {
  return limit === null ? Number.POSITIVE_INFINITY : limit + granted
}

async function waitForMore({ node, parts, turn, brief }: Run, over: Over, isShown: boolean): Promise<void> {
  const now = node.clock.now()
  const until = nextDay(now)
  const error = { code: BUDGET_EXCEEDED, detail: `${wordsOf(over)} ${whenWords(node, over)}` }
  if (!isShown) await showRetrying(node, parts.owner, turn, { attempt: 1, retryAt: until, error, unread: true })
  const waitMs = Math.min(until - now, LOOK_AGAIN_MS)
  const waited = new Promise<void>((resolve) => void node.clock.after(waitMs, resolve))
  await orStepHandedOver(node, brief, parts.abort.signal, waited)
  await node.dayTotals.read(parts.owner.address.person)
}

/** Returns how much more is allowed now. */
async function askForMore({ node, parts, turn }: Run, over: Over): Promise<number> {
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
  return more
}

function wordsOf({ what, used, limit, granted, isOwn }: Over): string {
  const words = (count: number) => (what === "tokens" ? `${count} tokens` : dollars({ costMicros: count }))
  const whose = isOwn ? "Your own budget for today" : "Today's budget"
  return `${whose} of ${words(limit + granted)} is used up (${words(used)} used).`
}

function dollars({ costMicros }: Pick<Usage, "costMicros">): string {
  return `$${(costMicros / MICROS_PER_DOLLAR).toFixed(2)}`
}

function whenWords(node: TurnAccess, { isOwn }: Over): string {
  const at = new Date(nextDay(node.clock.now())).toISOString().slice(0, 16).replace("T", " ")
  return `The next one begins at ${at} UTC; ${isOwn ? "you can raise it in the settings" : "the server's operator can raise it"}.`
}
