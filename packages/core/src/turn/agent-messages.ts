/**
 * Messages from one agent to another (COD-5). They are ordinary messages of a trigger: queued, attributed, limited by
 * the person's rates and budgets. A chain of agents that answer each other ends at a depth, because nobody watches it.
 *
 * Each is sent with an idempotency key made of the turn and the call: repeated after a crash, it is sent once.
 */
import {
  type Address,
  COMPOSER_INPUT,
  MAIN_BRANCH,
  type MessageId,
  Refusal,
  type Trigger,
  type TxId,
} from "@parlor/protocol"
import type { AgentMessage, MessagesAccess, SentToAgent } from "../agent/messages-access.ts"
import type { Json } from "../ports/json.ts"
import { observe } from "../schedule/observation.ts"
import type { Run } from "./run.ts"

/** How many agents in a row may send because of each other, without a person in between. */
const MAX_DEPTH = 8
const MAX_PER_TURN = 32

/** `call`: names this call within its turn, the same after a crash. */
export function agentMessages(run: Run, call: () => string): MessagesAccess {
  return {
    send: (to, message) => send(run, { branch: MAIN_BRANCH, ...to }, message, call()),
    spawn: async (as, message) => {
      const name = call()
      const to = { branch: `task-${idOf(run)}-${name}`.toLowerCase().replace(/[^a-z0-9-]+/g, "-"), ...as }
      check(run, to)
      await run.node.messenger.make(addressOf(run, to), run.node.ids.next("tx") as TxId)
      return send(run, to, message, name)
    },
    observe: ({ branch = MAIN_BRANCH, ...what }) => {
      const asking = { owner: run.parts.owner, turn: run.turn }
      return observe(run.node, asking, { ...what, branch }, { call: call(), depth: nextDepth(run) })
    },
  }
}

type Place = { readonly agent: string; readonly branch: string }

async function send(run: Run, to: Place, message: AgentMessage, call: string): Promise<SentToAgent> {
  const { node, parts, turn } = run
  const { address } = parts.owner
  const depth = check(run, to)
  run.sends += 1
  if (run.sends > MAX_PER_TURN)
    throw new Refusal("agent.too-many", `One turn can send at most ${MAX_PER_TURN} messages to other agents.`)
  const from = `${address.agent}/${address.branch}`
  const none = { scheduleId: null, headers: null }
  const trigger: Trigger = {
    source: "agent",
    firedAt: node.clock.now(),
    deliveryId: call,
    subject: from,
    depth,
    ...none,
  }
  const sent = await node.messenger.send(addressOf(run, to), {
    ...contentOf(message),
    mode: "immediate",
    source: "agent",
    trigger,
    txid: node.ids.next("tx") as TxId,
    key: { key: `agent\n${turn.id}\n${call}`, hash: turn.id },
  })
  const outcome = sent.outcome === "started" ? "started" : "queued"
  return { ...to, message: sent.message as MessageId, outcome }
}

/** Returns the depth of the message. */
function check(run: Run, to: Place): number {
  const { agent, branch } = run.parts.owner.address
  if (to.agent === agent && to.branch === branch)
    throw new Refusal("agent.self", "An agent cannot send to its own conversation. Request a wakeup instead.")
  return nextDepth(run)
}

function nextDepth({ message }: Run): number {
  const depth = (message?.trigger?.depth ?? 0) + 1
  if (depth > MAX_DEPTH)
    throw new Refusal(
      "agent.too-deep",
      `${MAX_DEPTH} agents in a row sent messages because of each other. A person has to continue.`,
    )
  return depth
}

function addressOf({ parts }: Run, { agent, branch }: Place): Address {
  return { agent, branch, person: parts.owner.address.person }
}

function contentOf(message: AgentMessage): { readonly type: string; readonly payload: Json } {
  return "text" in message ? { type: COMPOSER_INPUT, payload: { source: message.text } } : message
}

function idOf({ turn }: Run): string {
  return turn.id.replace(/^trn_/, "").slice(-12)
}
