/** Whether a share may be read: by whom, and for how long (SHR-2, SHR-6). */
import { type Millis, parseRow, Refusal, type StatusRow } from "@parlor/protocol"
import type { Ports } from "../ports/ports.ts"
import type { ShareRecord } from "../ports/shares.ts"

/** The holder of a link names its share and nobody; a viewer is a person. */
export type ShareReader = { readonly link: string } | { readonly person: string }

/** An open share, with the status of its conversation. */
export type OpenShare = { readonly share: ShareRecord; readonly status: StatusRow }

/** Refuses what is not there, and what this reader may not see, in the same words. */
export async function openShare(node: Ports, id: string, reader: ShareReader): Promise<OpenShare> {
  const [share] = await node.store.shares.findAll([id])
  if (share === undefined || !mayRead(share, reader)) throw unknownShare()
  checkShare(share, node.clock.now())
  const status = await statusOf(node, share)
  if (status === undefined) throw unknownShare()
  return { share, status }
}

export function unknownShare(): Refusal {
  return new Refusal("share.unknown", "Nothing is shared at this address. Ask for a new link.")
}

/** Refuses a share that has ended. Only for those who may read it. */
export function checkShare({ revokedAt, expiresAt }: ShareRecord, now: Millis): void {
  if (revokedAt !== null)
    throw new Refusal("share.revoked", "This conversation is no longer shared. Ask the person who shared it.")
  if (expiresAt !== null && expiresAt <= now)
    throw new Refusal("share.expired", "This link has expired. Ask the person who shared it for a new one.")
}

/** Those of these shares that may still be read. */
export async function stillShared(node: Ports, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const now = node.clock.now()
  const open = new Set<string>()
  for (const share of await node.store.shares.findAll(ids))
    if (isActive(share, now) && (await statusOf(node, share)) !== undefined) open.add(share.id)
  return open
}

export function isActive({ revokedAt, expiresAt }: ShareRecord, now: Millis): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now)
}

/** The owner sees what they share. */
function mayRead({ id, person, viewer }: ShareRecord, reader: ShareReader): boolean {
  if ("link" in reader) return viewer === null && reader.link === id
  return reader.person === person || (viewer !== null && reader.person === viewer)
}

/** Undefined if the conversation is deleted, or about to be (ADR-10). */
export async function statusOf(node: Ports, { stream }: ShareRecord): Promise<StatusRow | undefined> {
  const [row] = (await node.store.log.read(stream, [{ collection: "status" }]))?.lists[0] ?? []
  const status = row && parseRow("status", row.value)
  return status === undefined || status.deleteAt !== null ? undefined : status
}
