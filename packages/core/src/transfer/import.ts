/**
 * Imports JSON Lines into a conversation (LOG-15, LOG-28, LOG-29). An export needs an empty one, because its messages
 * keep their ids; plain lines are appended to an idle conversation if they fit one append, or go into an empty one.
 *
 * Lines are read no faster than they are written, and nothing is visible before the last one.
 */
import { type Address, limits, Refusal, type RefusalCode, type TxId } from "@parlor/protocol"
import { agentOf } from "../agent/agent-of.ts"
import { checkBytes } from "../quota/quota.ts"
import type { ImportAccess } from "./import-access.ts"
import { Importing } from "./importing.ts"

export type ImportOptions = {
  readonly txid: TxId
  /** The caller's idempotency key, and a digest of all lines, available after they were read. */
  readonly key?: { readonly key: string; readonly hash: () => string } | undefined
}

export async function importLines(
  node: ImportAccess,
  address: Address,
  lines: Iterable<string> | AsyncIterable<string>,
  { txid, key }: ImportOptions,
): Promise<{ messages: number }> {
  agentOf(node, address.agent)
  const leave = enter(node, address.person)
  const importing = new Importing(node, address, txid)
  try {
    let refusal: Refusal | undefined
    let unchecked = CHECKED_CHARS
    for await (const line of lines) {
      if (refusal !== undefined) continue
      try {
        unchecked += line.length
        if (unchecked >= CHECKED_CHARS) {
          await checkBytes(node, address.person, line.length)
          unchecked = 0
        }
        await importing.take(line)
      } catch (error) {
        // A repeated import finds its own messages: the key decides, once all lines were read.
        if (key === undefined || !(error instanceof Refusal) || !REPEATABLE.has(error.code)) throw error
        refusal = error
      }
    }
    const once = key === undefined ? undefined : { key: key.key, hash: key.hash() }
    const known = await importing.known(once)
    if (known !== undefined) return known
    if (refusal !== undefined) throw refusal
    await checkBytes(node, address.person, unchecked)
    return await importing.finish(once)
  } finally {
    leave()
    await importing.close()
  }
}

/** The quota is checked again after this much: what is written in the meantime counts (SEC-23). */
const CHECKED_CHARS = 1024 * 1024

/** Errors that a completed import causes for its own repetition. */
const REPEATABLE: ReadonlySet<RefusalCode> = new Set([
  "import.not-empty",
  "conversation.busy",
  "quota.bytes",
  "quota.files",
])

/** Each import needs memory for its longest line and its contents, so a person can run only a few at once. */
function enter(node: ImportAccess, person: string): () => void {
  const counts = node.importsByPerson
  const count = counts.get(person) ?? 0
  if (count >= limits.importsAtOnce)
    throw new Refusal(
      "rate.exceeded",
      `You already have ${limits.importsAtOnce} imports in progress. Wait until one is done.`,
    )
  counts.set(person, count + 1)
  return () => {
    const left = (counts.get(person) ?? 1) - 1
    if (left > 0) counts.set(person, left)
    else counts.delete(person)
  }
}
