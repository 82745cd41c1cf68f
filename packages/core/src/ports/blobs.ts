/**
 * Contents by their SHA-256 (hex): files of workspaces, attachments, tool output too long to show.
 *
 * Who holds a blob is recorded: one that nobody holds any more is deleted. A conversation holds its blobs by its stream
 * until it is deleted; a person holds what they attached.
 */
import type { Millis, StreamId } from "@parlor/protocol"

export type Attachment = {
  readonly hash: string
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  readonly at: Millis
}

/** In a person's list of attachments, the newest first: what comes after this one. */
export type AttachmentPlace = Pick<Attachment, "at" | "hash">

export interface Blobs {
  /**
   * Durable when it resolves. Keeping the same content again changes nothing. A conversation that is gone holds nothing:
   * then nothing is kept.
   */
  keepBlob(stream: StreamId, hash: string, bytes: Uint8Array): Promise<void>
  blob(hash: string): Promise<Uint8Array | undefined>
  /** Keeps the content and who attached it. The first name and type given stay. */
  attach(person: string, attachment: Attachment, bytes: Uint8Array): Promise<void>
  /** Undefined when this person attached no such content. */
  attachment(person: string, hash: string): Promise<Attachment | undefined>
  /** What the person's attachments take in all. */
  attachedBytes(person: string): Promise<number>
  /** The newest first; of the same time, by hash from the end. */
  attachments(
    person: string,
    page: { readonly limit: number; readonly after?: AttachmentPlace },
  ): Promise<readonly Attachment[]>
  /** The content goes with the last who holds it. False when this person attached no such content. */
  detach(person: string, hash: string): Promise<boolean>
}
