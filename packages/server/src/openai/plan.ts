/**
 * What a request will do, decided and stored before it is done (API-11).
 *
 * OpenAI's clients repeat a request whose response was lost, without an idempotency key but with a count of attempts.
 * A repeat finds the plan of the first attempt and carries it out again under the same keys, so that it changes
 * nothing more: on any server, and after a crash at any point.
 */
import { createHash } from "node:crypto"
import { Refusal } from "@parlor/protocol"
import { idempotencyKey } from "../http/once.ts"
import { sha256 } from "../routes/attachments.ts"
import type { Services } from "../services.ts"
import type { SendCall } from "./send-call.ts"

export type Plan = {
  readonly agent: string
  readonly branch: string
  /** In seconds. */
  readonly created: number
  /** The idempotency key of everything it writes. */
  readonly key: string
  readonly act:
    | { readonly kind: "send"; readonly importsHistory: boolean }
    /** The message takes the place of this one (RBK-3). */
    | { readonly kind: "replace"; readonly message: string }
    /** The message is already there. */
    | { readonly kind: "follow"; readonly message: string }
    | { readonly kind: "answer"; readonly ask: string }
    /** In a new branch from this message. */
    | { readonly kind: "fork"; readonly from: string }
}

/** A repeat without a key is recognized for at least this long; clients give up much earlier. */
const REPEAT_MS = 15 * 60_000

export async function planOnce(
  { runtime, clock }: Services,
  call: SendCall,
  decide: () => Promise<Plan>,
): Promise<{ readonly plan: Plan; readonly isRepeat: boolean }> {
  const { person } = call.caller
  const hash = await digestOf(call)
  const given = idempotencyKey(call.header("idempotency-key"))
  const period = Math.floor(clock.now() / REPEAT_MS)
  const name = given === undefined ? `openai ${hash} ${period}` : `openai key ${given}`
  const earlier = isRepeated(call) ? [name, `openai ${hash} ${period - 1}`] : []
  for (const known of given === undefined ? earlier : [name]) {
    const kept = await runtime.keptAnswer(person, known, call.txid)
    if (kept !== undefined) return { plan: checked(kept, hash), isRepeat: true }
  }
  const plan = await decide()
  await runtime.keepAnswer(person, { key: name, hash, answer: JSON.stringify(plan) }, call.txid)
  if (given === undefined) return { plan, isRepeat: false }
  // Another request with the same key may have been faster: its plan is the one that counts.
  const kept = await runtime.keptAnswer(person, name, call.txid)
  const winner = kept === undefined ? plan : checked(kept, hash)
  return { plan: winner, isRepeat: winner.key !== plan.key }
}

/** Sent by OpenAI's own clients. */
function isRepeated(call: SendCall): boolean {
  return Number(call.header("x-stainless-retry-count") ?? 0) > 0
}

function checked(kept: { readonly hash: string; readonly answer: string }, hash: string): Plan {
  if (kept.hash === hash) return JSON.parse(kept.answer) as Plan
  throw new Refusal(
    "idempotency.reused",
    "This Idempotency-Key was already used with a different request. Use a new key.",
  )
}

/** Of everything that decides what the request does. */
async function digestOf({ bytes, conversationHeaders }: SendCall): Promise<string> {
  const body = await sha256(bytes)
  return createHash("sha256")
    .update(JSON.stringify([body, conversationHeaders]))
    .digest("base64url")
}
