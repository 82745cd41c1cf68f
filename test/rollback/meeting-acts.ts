/** What people do to conversations: at random, on either node, in the midst of each other. What is refused is left. */
import type { Runtime } from "@parlor/core"
import { COMPOSER_INPUT, type MessageId, type MessageRow, Refusal, type SendMode } from "@parlor/protocol"
import type { Meeting, Place } from "./meeting.ts"

const MOST_PLACES = 6
const FEW_MS = [0, 5, 30, 100] as const
/** Names of acts, as often as they are likely. */
const LIKELY = [
  "send",
  "send",
  "send",
  "queue",
  "steer",
  "steer",
  "guests",
  "stop",
  "branch",
  "branch",
  "sidecar",
] as const
const ALSO = [
  "rollBack",
  "edit",
  "cancel",
  "compact",
  "compact",
  "dissolve",
  "write",
  "bring",
  "restart",
  "wait",
  "wait",
] as const

type Act = (typeof LIKELY)[number] | (typeof ALSO)[number]
type Hand = Meeting & { readonly node: Runtime; readonly place: Place }

/** Does something somewhere and says what. */
export async function actAtRandom(meeting: Meeting): Promise<string> {
  const { random, nodes, places } = meeting
  const act = random.pick<Act>([...LIKELY, ...ALSO])
  const node = random.pick(nodes)
  // Branches come late and are to be talked in as much.
  const place = places[Math.max(random.int(0, places.length - 1), random.int(0, places.length - 1))]
  if (place === undefined) throw new Error("there is no conversation")
  const about = `${act} in ${place.at.agent}/${place.at.branch} on ${nodes.indexOf(node) + 1}`
  try {
    await carryOut[act]({ ...meeting, node, place })
    return about
  } catch (error) {
    if (error instanceof Refusal) return `${about}: ${error.code}`
    throw new Error(about, { cause: error })
  }
}

const carryOut: Record<Act, (hand: Hand) => Promise<unknown>> = {
  send: (hand) => send(hand),
  queue: async (hand) => {
    for (let count = hand.random.int(2, 3); count > 0; count--) await send(hand)
  },
  steer: async (hand) => {
    await send(hand)
    await hand.clock.advance(hand.random.pick(FEW_MS))
    await send(hand, { mode: "steer" })
  },
  guests: (hand) => send(hand, { guests: ["owl"] }),
  stop: async (hand) => {
    const { node, place, random, through } = hand
    await send(hand)
    await hand.clock.advance(random.pick(FEW_MS))
    const onQueue = random.pick(["hold", "drain"] as const)
    await through(node.stop(place.at, { turn: undefined, onQueue, txid: node.txid() }))
  },
  branch: async (hand) => {
    const compacts = hand.random.chance(0.5)
    if (compacts) {
      await carryOut.compact(hand)
      await hand.rest()
    }
    // Only a branch from the newest message has the summary that was just made (BRA-7).
    const made = await branch(hand, false, compacts && hand.random.chance(0.7) ? newestMessage(hand) : undefined)
    if (made !== undefined && compacts) await send({ ...hand, place: made })
  },
  sidecar: async (hand) => {
    const aside = await branch(hand, true)
    if (aside === undefined) return
    await send({ ...hand, place: aside })
    await hand.rest()
    await hand.through(hand.node.mergeSidecar(aside.at, { txid: hand.node.txid() }))
  },
  rollBack: (hand) => rollBack(hand, false),
  edit: async (hand) => {
    const editedFrom = await rollBack(hand, true)
    if (editedFrom !== undefined) await send(hand, { editedFrom })
  },
  cancel: async ({ node, place, rows, through }) => {
    const newest = newestOf(rows(place, "rollbacks"))
    if (newest !== undefined) await through(node.cancelRollback(place.at, newest.id, node.txid()))
  },
  compact: ({ node, place, random, through }) =>
    through(node.compact(place.at, { keepTurns: random.int(0, 2), txid: node.txid() })),
  dissolve: async ({ node, place, rows, through }) => {
    const newest = newestOf(rows(place, "archives"))
    if (newest !== undefined) await through(node.undoCompaction(place.at, newest.id, node.txid()))
  },
  // What is written is hashed beside the clock: nothing else may run meanwhile, or a seed would not be the same twice.
  write: async ({ node, place, rest, word }) => {
    await rest()
    await node.writeFile(place.at, "a.txt", new TextEncoder().encode(word("t")), { txid: node.txid() })
  },
  bring: ({ node, place, through, word }) => {
    const lines = [
      { role: "person", text: word("p") },
      { role: "agent", text: word("a") },
    ]
    const texts = lines.map((line) => JSON.stringify(line))
    return through(node.importLines(place.at, texts, { txid: node.txid() }))
  },
  restart: ({ node, restart }) => restart(node),
  wait: ({ clock, random }) => clock.advance(random.pick([1, 20, 5_000])),
}

type Sending = { readonly mode?: SendMode; readonly guests?: readonly string[]; readonly editedFrom?: MessageId }

async function send({ node, place, through, word }: Hand, options: Sending = {}): Promise<void> {
  const payload = { source: word("p") }
  const message = { type: COMPOSER_INPUT, payload, mode: "immediate", source: "person", txid: node.txid() } as const
  await through(node.send(place.at, { ...message, ...options }))
}

function newestMessage({ rows, place }: Hand): MessageId | undefined {
  return rows(place, "messages").reduce<MessageRow | undefined>(
    (newest, row) => (newest === undefined || row.ord > newest.ord ? row : newest),
    undefined,
  )?.id
}

async function branch(hand: Hand, ephemeral: boolean, at?: MessageId): Promise<Place | undefined> {
  const { node, place, through } = hand
  const from = at ?? someOf(hand, () => true)
  if (from === undefined || hand.places.length >= MOST_PLACES) return undefined
  const made = await through(node.makeBranch(place.at, { from, name: undefined, ephemeral, txid: node.txid() }))
  return hand.meet({ ...place.at, branch: made.branch })
}

async function rollBack(hand: Hand, edit: boolean): Promise<MessageId | undefined> {
  const { node, place, random, through } = hand
  const to = someOf(hand, ({ role }) => role === "person")
  const scope = edit ? "conversation" : random.pick(["conversation", "both"] as const)
  if (to !== undefined) await through(node.rollBack(place.at, { to, scope, edit, txid: node.txid() }))
  return to
}

function newestOf<T extends { readonly began: number; readonly ended: number | null }>(list: T[]): T | undefined {
  return list.filter(({ ended }) => ended === null).sort((a, b) => b.began - a.began)[0]
}

function someOf({ random, rows, place }: Hand, isMeant: (message: MessageRow) => boolean): MessageId | undefined {
  const found = rows(place, "messages").filter(isMeant)
  return found[random.int(0, Math.max(0, found.length - 1))]?.id
}
