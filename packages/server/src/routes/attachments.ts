import { webcrypto } from "node:crypto"
import type { AttachmentPlace } from "@parlor/core"
import { type AnswerOf, type AttachmentView, limits } from "@parlor/protocol"
import type { Call, RawBytes, Services } from "../services.ts"

export const handlers = { attach, readAttachment, listAttachments, deleteAttachment }

async function attach({ runtime }: Services, call: Call<"attach">): Promise<AttachmentView> {
  const { bytes } = call
  const given = { hash: await sha256(bytes), name: call.query.name, contentType: call.header("content-type") ?? "" }
  const { hash, name, mediaType, bytes: length } = await runtime.attach(call.caller.person, given, bytes)
  return { hash, name, mediaType, bytes: length }
}

async function readAttachment({ runtime }: Services, call: Call<"readAttachment">): Promise<RawBytes> {
  const { attachment, bytes } = await runtime.readAttachment(call.caller.person, call.params.hash)
  return { bytes, mediaType: attachment.mediaType, name: attachment.name }
}

async function listAttachments(
  { runtime }: Services,
  { caller, query }: Call<"listAttachments">,
): Promise<AnswerOf<"listAttachments">> {
  const { cursor, limit } = query
  const { attachments, next, taken } = await runtime.attachments(caller.person, {
    limit,
    after: cursor === undefined ? undefined : placeOf(cursor),
  })
  return {
    attachments: [...attachments],
    cursor: next === undefined ? null : `${next.at}-${next.hash}`,
    bytes: taken,
    most: limits.attachedBytes,
  }
}

async function deleteAttachment({ runtime }: Services, call: Call<"deleteAttachment">): Promise<void> {
  await runtime.deleteAttachment(call.caller.person, call.params.hash)
}

function placeOf(cursor: string): AttachmentPlace {
  const [at, hash = ""] = cursor.split("-")
  return { at: Number(at), hash }
}

/** On another thread: hashing a large file here would block the event loop. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", bytes)).toString("hex")
}
