/**
 * Storage quotas per person (SEC-23, SEC-24, SEC-42, SEC-43).
 *
 * Checked before something new begins: a message, an upload, a file, an import, a conversation, a memory, a trigger. A
 * running turn is never checked, so that none of its output is lost. Concurrent requests see the same count, and
 * together may exceed the limit by their own size.
 */
import { limits, type Millis, Refusal, sizeWords } from "@parlor/protocol"
import type { Clock } from "../ports/clock.ts"
import type { Stored, UsageCounts } from "../ports/usage.ts"

export type QuotaSettings = {
  /** Per person; null for no limit. */
  readonly storedBytes: number | null
  readonly conversations: number | null
  readonly files: number | null
  /** Triggers of each kind (SEC-43). Their lists are read whole, so there is always a limit. */
  readonly schedules: number
  readonly hooks: number
  readonly notices: number
}

export const defaultQuotaSettings: QuotaSettings = {
  storedBytes: limits.storedBytes,
  conversations: limits.conversations,
  files: limits.storedFiles,
  schedules: limits.schedules,
  hooks: limits.hooks,
  notices: limits.notices,
}

/** What is needed of a node. */
export type QuotaHome = {
  readonly store: { readonly usage: Pick<UsageCounts, "stored"> }
  readonly clock: Clock
  readonly settings: { readonly quota: QuotaSettings }
  readonly usedBytes: UsedBytes
}

/** How many bytes people used when it was last read. */
export type UsedBytes = Map<string, { readonly used: number; readonly readAt: Millis }>

export function storedBytes(stored: Stored): number {
  return stored.conversationBytes + stored.fileBytes + stored.memoryBytes + stored.triggerBytes
}

/** `bytes`: how many will be added, as far as known. */
export async function checkBytes(home: QuotaHome, person: string, bytes: number): Promise<void> {
  if (home.settings.quota.storedBytes === null) return
  checkTotal(home, await readStored(home, person), bytes)
}

/** `added`: how many files or attachments there will be more than now. */
export async function checkFiles(home: QuotaHome, person: string, added: number): Promise<void> {
  const { files: allowed } = home.settings.quota
  if (allowed === null || added <= 0) return
  const { files: used } = await readStored(home, person)
  if (used + added <= allowed) return
  const more = used < allowed ? `; there is no room for ${added} more` : ""
  throw new Refusal(
    "quota.files",
    `You have ${used} of ${allowed} files, including attachments${more}. Delete files, attachments or conversations that you no longer need.`,
    undefined,
    { quota: { used, allowed } },
  )
}

/**
 * The same for a message. Messages are small and frequent: a count from the last few seconds is good enough while
 * little of the quota is used.
 */
export async function checkMessageRoom(home: QuotaHome, person: string): Promise<void> {
  const { storedBytes: allowed } = home.settings.quota
  if (allowed === null) return
  const known = home.usedBytes.get(person)
  const isFresh = known !== undefined && known.readAt > home.clock.now() - FRESH_MS
  if (isFresh && known.used < allowed * FAR_FROM_FULL) return
  await checkBytes(home, person, 0)
}

export async function checkNewConversation(home: QuotaHome, person: string): Promise<void> {
  const { storedBytes: allowedBytes, conversations: allowed } = home.settings.quota
  if (allowedBytes === null && allowed === null) return
  const stored = await readStored(home, person)
  if (allowed !== null && stored.conversations >= allowed)
    throw new Refusal(
      "quota.conversations",
      `You have ${stored.conversations} conversations, including branches; the maximum is ${allowed}. Delete some that you no longer need.`,
      undefined,
      { quota: { used: stored.conversations, allowed } },
    )
  checkTotal(home, stored, 0)
}

export function isQuotaRefusal(code: string): boolean {
  return code.startsWith("quota.")
}

const FRESH_MS: Millis = 5_000
const FAR_FROM_FULL = 0.8
/** With more people than this the counts are read again. */
const MAX_CACHED = 10_000

async function readStored(home: QuotaHome, person: string): Promise<Stored> {
  const readAt = home.clock.now()
  const stored = await home.store.usage.stored(person)
  if (home.usedBytes.size >= MAX_CACHED) home.usedBytes.clear()
  home.usedBytes.set(person, { used: storedBytes(stored), readAt })
  return stored
}

function checkTotal(home: QuotaHome, stored: Stored, bytes: number): void {
  const { storedBytes: allowed } = home.settings.quota
  const used = storedBytes(stored)
  if (allowed === null || (used < allowed && used + bytes <= allowed)) return
  const more = used < allowed ? `; there is no room for ${sizeWords(bytes)} more` : ""
  throw new Refusal(
    "quota.bytes",
    `You use ${sizeWords(used)} of ${sizeWords(allowed)}${more}. Delete conversations or attachments that you no longer need.`,
    undefined,
    { quota: { used, allowed } },
  )
}
