/** Shares of conversations in memory. */
import type { StreamId } from "@parlor/protocol"
import type { ShareBounds, ShareRecord } from "../ports/shares.ts"

export class MemoryShares {
  readonly #shares = new Map<string, ShareRecord>()

  get(id: string): ShareRecord | undefined {
    return this.#shares.get(id)
  }

  of(person: string): ShareRecord[] {
    return this.#newest((share) => share.person === person)
  }

  sharedWith(viewer: string, { now, limit }: { readonly now: number; readonly limit: number }): ShareRecord[] {
    return this.#newest((share) => share.viewer === viewer && isActive(share, now)).slice(0, limit)
  }

  add(share: ShareRecord, { most, ended }: ShareBounds): "added" | "full" {
    const own = this.of(share.person)
    if (own.filter((one) => isActive(one, share.createdAt)).length >= most) return "full"
    this.#shares.set(share.id, share)
    const over = this.of(share.person).filter((one) => !isActive(one, share.createdAt))
    for (const { id } of over.slice(ended)) this.#shares.delete(id)
    return "added"
  }

  revoke(person: string, id: string, now: number): ShareRecord | undefined {
    const share = this.#shares.get(id)
    if (share === undefined || share.person !== person || !isActive(share, now)) return undefined
    this.#shares.set(id, { ...share, revokedAt: now })
    return share
  }

  /** The conversation is deleted. */
  release(stream: StreamId): void {
    this.#drop((share) => share.stream === stream)
  }

  move(from: StreamId, to: StreamId): void {
    for (const share of [...this.#shares.values()])
      if (share.stream === from) this.#shares.set(share.id, { ...share, stream: to })
  }

  dropPerson(person: string): void {
    this.#drop((share) => share.person === person || share.viewer === person)
  }

  #drop(isOver: (share: ShareRecord) => boolean): void {
    for (const share of [...this.#shares.values()]) if (isOver(share)) this.#shares.delete(share.id)
  }

  #newest(isWanted: (share: ShareRecord) => boolean): ShareRecord[] {
    const found = [...this.#shares.values()].filter(isWanted)
    return found.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
  }
}

function isActive({ revokedAt, expiresAt }: ShareRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now)
}
