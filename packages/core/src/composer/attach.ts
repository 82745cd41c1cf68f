/** Attachments: uploaded once, stored by content, separate for each person (CMP-15). */
import { limits, Refusal, sizeWords } from "@parlor/protocol"
import type { Attachment, AttachmentPlace } from "../ports/blobs.ts"
import type { Ports } from "../ports/ports.ts"
import { checkBytes, checkFiles, type QuotaHome } from "../quota/quota.ts"
import { kindOf, mediaTypeOf, mismatch, SUPPORTED_TYPES } from "./media.ts"

export type NewAttachment = {
  /** SHA-256 of the content, in hex. */
  readonly hash: string
  readonly name: string | undefined
  /** As claimed by the upload. */
  readonly contentType: string
}

/** Uploading the same content again returns the existing attachment, under its first name. */
export async function attach(
  node: Ports & QuotaHome,
  person: string,
  given: NewAttachment,
  bytes: Uint8Array,
): Promise<Attachment> {
  const mediaType = mediaTypeOf(given.contentType)
  if (mediaType === undefined)
    throw new Refusal(
      "attachment.media-type",
      `Unsupported file type: ${given.contentType || "none"}. Supported types: ${SUPPORTED_TYPES}. Text must be UTF-8.`,
    )
  checkAttachment(mediaType, bytes)
  const known = await node.store.blobs.attachment(person, given.hash)
  if (known !== undefined) return known
  // Concurrent uploads see the same total, and together may exceed the limit by their own size.
  const taken = await node.store.blobs.attachedBytes(person)
  if (taken + bytes.length > limits.attachedBytes)
    throw new Refusal(
      "attachment.full",
      `Your attachments use ${sizeWords(taken)} of ${sizeWords(limits.attachedBytes)}; there is no room for another ${sizeWords(bytes.length)}. Delete some that you no longer need.`,
    )
  await checkBytes(node, person, bytes.length)
  await checkFiles(node, person, 1)
  const name = given.name ?? "attachment"
  await node.store.blobs.attach(
    person,
    { hash: given.hash, name, mediaType, bytes: bytes.length, at: node.clock.now() },
    bytes,
  )
  return (await node.store.blobs.attachment(person, given.hash)) ?? gone(given.hash)
}

/** Only what this person attached: other people's attachments do not exist for them (SEC-1). */
export async function readAttachment(
  node: Ports,
  person: string,
  hash: string,
): Promise<{ readonly attachment: Attachment; readonly bytes: Uint8Array }> {
  const attachment = await node.store.blobs.attachment(person, hash)
  const bytes = attachment && (await node.store.blobs.get(hash))
  return attachment && bytes ? { attachment, bytes } : gone(hash)
}

export type AttachmentPage = {
  readonly attachments: readonly Attachment[]
  /** Undefined if there are no more. */
  readonly next: AttachmentPlace | undefined
  /** Total size of all attachments. */
  readonly taken: number
}

/** Newest first. */
export async function listAttachments(
  node: Ports,
  person: string,
  { limit, after }: { readonly limit: number; readonly after?: AttachmentPlace | undefined },
): Promise<AttachmentPage> {
  const found = await node.store.blobs.attachments(person, { limit: limit + 1, ...(after && { after }) })
  const attachments = found.slice(0, limit)
  const taken = await node.store.blobs.attachedBytes(person)
  return { attachments, next: found.length > limit ? attachments.at(-1) : undefined, taken }
}

/** Messages keep its name; from now on readers, including models, are told that it was deleted. */
export async function deleteAttachment(node: Ports, person: string, hash: string): Promise<void> {
  if (!(await node.store.blobs.detach(person, hash))) gone(hash)
}

export function checkAttachment(mediaType: string, bytes: Uint8Array): void {
  if (bytes.length === 0) throw new Refusal("attachment.mismatch", "The file is empty.")
  const most = kindOf(mediaType) === "text" ? limits.attachmentTextBytes : limits.attachmentBytes
  if (bytes.length > most)
    throw new Refusal(
      "request.too-large",
      `Too large (${bytes.length} bytes). The maximum for ${mediaType} is ${most} bytes.`,
    )
  const defect = mismatch(mediaType, bytes)
  if (defect !== undefined) throw new Refusal("attachment.mismatch", defect)
}

function gone(hash: string): never {
  throw new Refusal("attachment.unknown", `There is no attachment with the hash ${hash}.`)
}
