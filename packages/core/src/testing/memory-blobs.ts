/** Blobs in memory, with their holders. */
import type { StreamId } from "@parlor/protocol"
import type { Attachment, AttachmentPlace } from "../ports/blobs.ts"

type Held = {
  readonly bytes: Uint8Array
  readonly streams: Set<StreamId>
  readonly attachments: Map<string, Attachment>
}

export class MemoryBlobs {
  readonly #blobs = new Map<string, Held>()

  keep(stream: StreamId, hash: string, bytes: Uint8Array): void {
    this.#held(hash, bytes).streams.add(stream)
  }

  get(hash: string): Uint8Array | undefined {
    const held = this.#blobs.get(hash)
    return held && new Uint8Array(held.bytes)
  }

  attach(person: string, attachment: Attachment, bytes: Uint8Array): void {
    const { attachments } = this.#held(attachment.hash, bytes)
    if (!attachments.has(person)) attachments.set(person, attachment)
  }

  /** Content of the stream becomes an attachment of the person. `held`: the stream holds it as well. */
  hand(stream: StreamId, person: string, attachment: Attachment, held: boolean): void {
    const known = this.#blobs.get(attachment.hash)
    if (known === undefined) return
    if (!known.attachments.has(person)) known.attachments.set(person, attachment)
    if (!held) known.streams.delete(stream)
  }

  attachment(person: string, hash: string): Attachment | undefined {
    return this.#blobs.get(hash)?.attachments.get(person)
  }

  attachedBytes(person: string): number {
    let sum = 0
    for (const { attachments } of this.#blobs.values()) sum += attachments.get(person)?.bytes ?? 0
    return sum
  }

  /** Contents that this person attached, or that one of these streams holds, each once. */
  heldBytes(person: string, streams: ReadonlySet<StreamId>): number {
    let sum = 0
    for (const held of this.#blobs.values())
      if (held.attachments.has(person) || [...held.streams].some((stream) => streams.has(stream)))
        sum += held.bytes.length
    return sum
  }

  attachmentsOf(person: string): readonly Attachment[] {
    return [...this.#blobs.values()].flatMap(({ attachments }) => attachments.get(person) ?? []).sort(newestFirst)
  }

  page(person: string, { limit, after }: { readonly limit: number; readonly after?: AttachmentPlace }): Attachment[] {
    const all = this.attachmentsOf(person)
    return all.filter((one) => after === undefined || newestFirst(after, one) < 0).slice(0, limit)
  }

  detach(person: string, hash: string): boolean {
    const held = this.#blobs.get(hash)
    if (!held?.attachments.delete(person)) return false
    if (held.streams.size === 0 && held.attachments.size === 0) this.#blobs.delete(hash)
    return true
  }

  dropAttachments(person: string): void {
    for (const hash of [...this.#blobs.keys()]) this.detach(person, hash)
  }

  /** Deletes contents without holders. */
  release(stream: StreamId): void {
    for (const [hash, { streams, attachments }] of this.#blobs) {
      if (streams.delete(stream) && streams.size === 0 && attachments.size === 0) this.#blobs.delete(hash)
    }
  }

  #held(hash: string, bytes: Uint8Array): Held {
    const known = this.#blobs.get(hash)
    if (known !== undefined) return known
    const held = {
      bytes: new Uint8Array(bytes),
      streams: new Set<StreamId>(),
      attachments: new Map<string, Attachment>(),
    }
    this.#blobs.set(hash, held)
    return held
  }
}

function newestFirst(a: AttachmentPlace, b: AttachmentPlace): number {
  return b.at - a.at || (a.hash < b.hash ? 1 : a.hash > b.hash ? -1 : 0)
}
