/**
 * Answers given under a person's idempotency keys (LOG-30), stored with the person's feed. For commands that do not
 * store their key in the transaction that carries them out.
 */
import type { TxId } from "@parlor/protocol"
import type { Append, Appended } from "../ports/store.ts"
import { feedStream } from "./address.ts"
import type { LogAccess } from "./log-access.ts"

type Once = NonNullable<Append["once"]>
export type KeptAnswer = Pick<Once, "hash" | "answer">

/** No control counter has this value: an append that expects it is never written. */
const NEVER = -1

export async function keptAnswer(
  node: LogAccess,
  person: string,
  key: string,
  txid: TxId,
): Promise<KeptAnswer | undefined> {
  const known = await append(node, person, { once: { key: nameOf(key), hash: "", answer: "" }, txid, expect: NEVER })
  return !known.ok && known.why === "repeated" ? { hash: known.hash, answer: known.answer } : undefined
}

/** The first answer stays. */
export async function keepAnswer(node: LogAccess, person: string, { key, ...answer }: Once, txid: TxId): Promise<void> {
  await append(node, person, { once: { ...answer, key: nameOf(key) }, txid })
}

async function append(
  node: LogAccess,
  person: string,
  rest: Pick<Append, "txid"> & Partial<Append>,
): Promise<Appended> {
  const stream = await feedStream(node, person)
  return node.writer.append({ stream, changes: [], at: node.clock.now(), ...rest })
}

function nameOf(key: string): string {
  return `command ${key}`
}
