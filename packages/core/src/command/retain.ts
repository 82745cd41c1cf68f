/**
 * Deletes conversations that are older, or more, than is kept of their agent for each person (LOG-40).
 *
 * Pinned ones stay, and so do those that are not at rest: running, queued, asking. A conversation with branches that
 * stay, stays too. Rounds may run on several nodes at once: a conversation that is already deleted is skipped.
 */
import { type Address, type FeedRow, type Millis, parseRow, Refusal, type StreamId, type TxId } from "@parlor/protocol"
import type { Retention } from "../agent/agent.ts"
import { feedStream } from "../log/address.ts"
import { reasonFields } from "../ports/log.ts"
import type { CommandAccess } from "./command-access.ts"
import { namedTree, removeAll } from "./remove.ts"

const DAY_MS: Millis = 24 * 60 * 60_000
const PEOPLE_AT_ONCE = 100
const ROWS_AT_ONCE = 200
const RETAINED = "conversation.expired"

export async function retain(node: CommandAccess, onDeleted: (streams: readonly StreamId[]) => void): Promise<void> {
  const rules = rulesOf(node)
  if (rules === undefined) return
  const now = await node.store.now()
  for (let after = ""; ; ) {
    const people = await node.store.usage.people({ after, limit: PEOPLE_AT_ONCE })
    for (const { person } of people)
      for (const address of await expired(node, person, { rules, now })) await tryRemove(node, address, onDeleted)
    const last = people.at(-1)
    if (last === undefined) return
    after = last.person
  }
}

type Rules = (agent: string) => Retention

/** Undefined if everything is kept. */
function rulesOf({ agents, settings }: CommandAccess): Rules | undefined {
  const ruleOf: Rules = (agent) => agents.get(agent)?.retention ?? settings.retention
  const all = [settings.retention, ...[...agents.keys()].map(ruleOf)]
  return all.some(({ days, conversations }) => days !== undefined || conversations !== undefined) ? ruleOf : undefined
}

/** Newest first, so that the rest is beyond the count; oldest first in the result. */
async function expired(
  node: CommandAccess,
  person: string,
  { rules, now }: { readonly rules: Rules; readonly now: Millis },
): Promise<readonly Address[]> {
  const feed = await feedStream(node, person)
  const seen = new Map<string, number>()
  const found: Address[] = []
  let cursor: { readonly before?: number; readonly beforeKey?: string } = {}
  for (;;) {
    const query = { collection: "conversations", newest: ROWS_AT_ONCE, ...cursor } as const
    const rows = (await node.store.log.read(feed, [query]))?.lists[0] ?? []
    for (const row of rows) {
      const one = parseRow("conversations", row.value)
      const { days, conversations } = rules(one.agent)
      const place = (seen.get(one.agent) ?? 0) + 1
      seen.set(one.agent, place)
      const isOld = days !== undefined && one.activityAt < now - days * DAY_MS
      const isBeyond = conversations !== undefined && place > conversations
      if ((isOld || isBeyond) && isAtRest(one)) found.unshift({ agent: one.agent, branch: one.branch, person })
    }
    const last = rows.at(-1)
    if (last === undefined || last.ord === null) return found
    cursor = { before: last.ord, beforeKey: last.key }
  }
}

function isAtRest({ pinned, state, queued, asks, deleteAt }: FeedRow): boolean {
  return !pinned && state === "idle" && queued === 0 && asks === 0 && deleteAt === null
}

async function tryRemove(
  node: CommandAccess,
  address: Address,
  onDeleted: (streams: readonly StreamId[]) => void,
): Promise<void> {
  try {
    const tree = await namedTree(node, address, [])
    onDeleted(await removeAll(node, tree, node.ids.next("del") as TxId, RETAINED))
  } catch (error) {
    if (!(error instanceof Refusal)) node.log.warn("could not delete an expired conversation", reasonFields(error))
  }
}
