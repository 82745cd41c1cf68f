/**
 * Three nodes on one PostgreSQL with random faults: kills, pauses, database restarts, cut and silent
 * connections, clocks that jump. A checker that knows what every client was told and shown compares it with the logs.
 *
 * 30 faults, 1,000 with PARLOR_LONG=1. PARLOR_SEED replays what is done and in which order; the rest is timing.
 */

import { afterAll, beforeAll, expect, test } from "vitest"
import { rounds } from "../support/rounds.ts"
import { type Cluster, startCluster } from "./cluster.ts"
import { Comparison, unfinished } from "./comparison.ts"
import { Crowd, MOST_WAITING } from "./crowd.ts"
import { type FakeModel, startFakeModel } from "./fake-model.ts"
import { acknowledged } from "./history.ts"
import { Nemesis } from "./nemesis.ts"
import { chooseSeed, type Random, seededRandom } from "./random.ts"
import { Reader } from "./reader.ts"
import { sleep } from "./waiting.ts"
import { type Conversation, make, readLog } from "./wire.ts"

const FAULTS = rounds({ usual: 30, long: 1_000 })
const TIMEOUT_MS = 300_000 + FAULTS * 4_000
/** Longer than any retry, lease or timeout: a conversation with work that writes nothing for so long is stuck. */
const STUCK_MS = 60_000
const LEASE_MS = 1_500
const SETTLE_TRIES = 100
const BETWEEN_MS = [100, 700] as const
const CONVERSATIONS: readonly [Conversation, ...Conversation[]] = [
  "host/main",
  "host/topic",
  "critic/main",
  "scribe/main",
]
const CLIENTS = 4

let model: FakeModel
let cluster: Cluster

beforeAll(async () => {
  model = await startFakeModel({ tokenMs: 10 })
  cluster = await startCluster(model, LEASE_MS)
}, 120_000)

afterAll(async () => {
  await cluster?.close()
  await model?.close()
})

test(`[LOG-1, LOG-3, LOG-4, LOG-5, LOG-6, LOG-12, QUE-11, QUE-14, TRN-1, TRN-4, TRN-7] ${FAULTS} faults on three nodes: nothing acknowledged or shown is lost, doubled or reordered`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const random = seededRandom(chooseSeed("nemesis"))
  const crowd = new Crowd(random.fork())
  const comparison = new Comparison(crowd.history, model)
  const nemesis = new Nemesis({ cluster, random: random.fork(), leaseMs: LEASE_MS })
  for (const name of CONVERSATIONS) await make(cluster.nodes[0].url, name)
  const [act, read] = [new AbortController(), new AbortController()]
  const acting = Array.from({ length: CLIENTS }, () => client(crowd, random.fork(), act.signal))
  const reading = CONVERSATIONS.map((name) => follow(crowd, name, random.fork(), read.signal))
  for (let fault = 0; fault < FAULTS; fault++) {
    await nemesis.strike()
    await sleep(random.int(...BETWEEN_MS))
  }
  await nemesis.heal()
  act.abort()
  await Promise.all(acting)
  await settle(crowd)
  await rest(crowd, comparison)
  read.abort()
  await Promise.all(reading)
  // Refusals while the database or the network is down are allowed; all other violations count.
  const faults = crowd.history.violations.filter((line) => !line.includes(" 503 "))
  crowd.history.violations.splice(0, Number.POSITIVE_INFINITY, ...faults)
  for (const node of cluster.nodes) await comparison.compareAtRest(node.url)
  const { all, ok } = crowd.history.attempts
  const events = [...comparison.logs.values()].flat().length
  console.info(`nemesis: ${JSON.stringify({ ...nemesis.struck, attempts: all, ok, events })}`)
  expect(ok).toBeGreaterThan(FAULTS)
  for (const count of Object.values(nemesis.struck)) expect(count).toBeGreaterThan(0)
  for (const node of cluster.nodes) expect(await node.stop()).toBe(0)
})

/** Sends, repeats and stops through any node until told to end. */
async function client(crowd: Crowd, random: Random, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const conversation = random.pick(CONVERSATIONS)
    const { url } = random.pick(cluster.nodes)
    const open = crowd.history.sends.filter(
      (one) => one.conversation === conversation && acknowledged(one).length === 0,
    )
    const what = random.int(1, 10)
    if (open[0] !== undefined) await crowd.send(url, conversation, open[0].input)
    else if (what === 1) await stopRunning(crowd, url, conversation, random)
    else if (what === 2) await crowd.repeat(url, conversation, random)
    else if (crowd.waiting(conversation) < MOST_WAITING || random.chance(0.1)) await crowd.nudge(url, conversation)
    await sleep(random.int(50, 400))
  }
}

async function stopRunning(crowd: Crowd, url: string, conversation: Conversation, random: Random): Promise<void> {
  const turn = crowd.running(conversation)
  if (turn !== undefined) await crowd.stop(url, conversation, turn, random)
}

/** Follows one conversation, alternating between nodes. */
async function follow(crowd: Crowd, name: Conversation, random: Random, over: AbortSignal): Promise<void> {
  const reader = new Reader("the reader", name, 0, (place, raw) => crowd.see(place, raw))
  while (!over.aborted) {
    const turnAway = AbortSignal.any([over, AbortSignal.timeout(random.int(500, 5_000))])
    await reader.follow(random.pick(cluster.nodes).url, turnAway)
    if (!over.aborted) await sleep(20)
  }
}

/** Repeats every send without a response until it gets one. */
async function settle(crowd: Crowd): Promise<void> {
  for (let tries = 0; tries < SETTLE_TRIES; tries++) {
    const open = crowd.history.sends.filter((one) => acknowledged(one).length === 0)
    if (open.length === 0) return
    for (const { conversation, input } of open) {
      const node = cluster.nodes[tries % cluster.nodes.length] ?? cluster.nodes[0]
      await crowd.send(node.url, conversation, input)
    }
    await sleep(100)
  }
  throw new Error("a send was never taken")
}

/** However much is queued, it is worked off; what counts is that no conversation stops making progress. */
async function rest(crowd: Crowd, comparison: Comparison): Promise<void> {
  const [{ url }] = cluster.nodes
  for (const name of CONVERSATIONS) comparison.logs.set(name, await readLog(url, name, 0))
  let [left, changedAt] = ["", Date.now()]
  for (;;) {
    const now = (await unfinished(url, comparison, crowd)).join("; ")
    if (now === "") return
    if (now !== left) [left, changedAt] = [now, Date.now()]
    if (Date.now() - changedAt > STUCK_MS) throw new Error(`nothing happened for ${STUCK_MS} ms: ${left}`)
    await sleep(50)
  }
}
