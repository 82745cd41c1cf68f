/**
 * Contents by their SHA-256 (hex): files of workspaces, attachments, tool output too long to show.
 *
 * The holders of a blob are recorded: a blob without holders is deleted. A conversation holds its blobs by its stream
 * until it is deleted; a person holds their attachments.
 */
import type { Millis, StreamId } from "@parlor/protocol"

export type Attachment = {
  readonly hash: string
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  readonly at: Millis
}

/** A position in a person's list of attachments, newest first: the list continues after it. */
export type AttachmentPlace = Pick<Attachment, "at" | "hash">

export interface Blobs {
  /**
   * Durable when it resolves. Storing the same content again changes nothing. If the conversation was deleted, nothing
   * is stored.
   */
  keep(stream: StreamId, hash: string, bytes: Uint8Array): Promise<void>
  get(hash: string): Promise<Uint8Array | undefined>
  /** Stores the content and who attached it. The first name and type given stay. */
  attach(person: string, attachment: Attachment, bytes: Uint8Array): Promise<void>
  /** Undefined if this person attached no such content. */
  attachment(person: string, hash: string): Promise<Attachment | undefined>
  /** Total size of the person's attachments. */
  attachedBytes(person: string): Promise<number>
  /** Newest first; at the same time, by hash in descending order. */
  attachments(
    person: string,
    page: { readonly limit: number; readonly after?: AttachmentPlace },
  ): Promise<readonly Attachment[]>
  /** The content is deleted with its last holder. False if this person attached no such content. */
  detach(person: string, hash: string): Promise<boolean>
}
