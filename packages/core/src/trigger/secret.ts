/** Secrets of webhooks: sealed in the store, opened to sign or verify (SEC-29). */
import { Bug } from "@parlor/protocol"
import type { Seal } from "../ports/seal.ts"
import type { TriggerRecord } from "../ports/triggers.ts"
import { hookOf, hookRecord } from "./hook.ts"
import { noticeOf, noticeRecord } from "./notice.ts"
import type { Sealing, TriggerAccess } from "./trigger-access.ts"

const SLICE = 100
const CHANGE_TRIES = 10

export function sealSecret(node: Sealing, id: string, secret: string): string {
  return sealOf(node).seal(secret, placeOf(id))
}

/** Undefined if its key is lost. */
export function openSecret(node: Sealing, id: string, value: string): string | undefined {
  return sealOf(node).open(value, placeOf(id))
}

export type Resealed = { readonly resealed: number; readonly unreadable: number }

/** Seals secrets stored as plain text by older versions, or sealed with an earlier key. Idempotent, on any node. */
export async function resealSecrets(node: TriggerAccess): Promise<Resealed> {
  let [after, resealed, unreadable] = ["", 0, 0]
  for (;;) {
    const page = await node.store.triggers.byId(["hook", "notice"], { after, limit: SLICE })
    for (const record of page) {
      const outcome = await reseal(node, record)
      if (outcome === "resealed") resealed += 1
      if (outcome === "unreadable") unreadable += 1
    }
    const last = page.at(-1)
    if (last === undefined || page.length < SLICE) return { resealed, unreadable }
    after = last.id
  }
}

async function reseal(node: TriggerAccess, from: TriggerRecord): Promise<"current" | "resealed" | "unreadable"> {
  let record: TriggerRecord | undefined = from
  for (let tries = 0; record !== undefined && tries < CHANGE_TRIES; tries++) {
    const { next, isUnreadable } = resealed(node, record)
    if (next === undefined) return isUnreadable ? "unreadable" : "current"
    if (await node.store.triggers.change(next, [], { erase: true })) return isUnreadable ? "unreadable" : "resealed"
    record = await node.store.triggers.get(record.id)
  }
  return "current"
}

/** `next`: undefined if there is nothing to seal. */
function resealed(
  node: TriggerAccess,
  record: TriggerRecord,
): { readonly next?: TriggerRecord; readonly isUnreadable: boolean } {
  const seal = sealOf(node)
  let [isChanged, isUnreadable] = [false, false]
  const again = (value: string): string => {
    if (seal.isCurrent(value)) return value
    const secret = seal.open(value, placeOf(record.id))
    if (secret === undefined) isUnreadable = true
    else isChanged = true
    return secret === undefined ? value : seal.seal(secret, placeOf(record.id))
  }
  const next = withSecrets(record, again)
  return isChanged ? { next, isUnreadable } : { isUnreadable }
}

function withSecrets(record: TriggerRecord, again: (value: string) => string): TriggerRecord {
  const version = record.version + 1
  if (record.kind === "notice") {
    const notice = noticeOf(record)
    return noticeRecord({ ...notice, secret: again(notice.secret), version })
  }
  const hook = hookOf(record)
  const secrets = hook.secrets.map(({ secret, until }) => ({ secret: again(secret), until }))
  return hookRecord({ ...hook, secrets, version })
}

function placeOf(id: string): string {
  return `trigger ${id}`
}

function sealOf({ seal }: Sealing): Seal {
  if (seal === undefined) throw new Bug("a secret is to be stored, and there is nothing to seal it with")
  return seal
}
