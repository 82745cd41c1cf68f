/** Sharing a conversation, and reading what is shared (SHR-1). */
import { randomBytes } from "node:crypto"
import { type Rate, type ShareReader, tooMany } from "@parlor/core"
import { encodeChanges, limits, SHARE_SECRET, shareLinkPath } from "@parlor/protocol"
import { type Caller, digest } from "../auth/caller.ts"
import { mediaTypeOf } from "../http/media-type.ts"
import type { Call, RawBytes, Services } from "../services.ts"
import type { Source } from "../streams/source.ts"
import { addressOf } from "./conversations.ts"

export const handlers = {
  makeShare,
  listShares,
  revokeShare,
  listShared,
  openShared,
  listSharedMessages,
  followShared,
  readSharedAttachment,
  listSharedFiles,
  readSharedFile,
}

const RATE: Rate = { perMinute: limits.sharesPerMinute, atOnce: limits.sharesPerMinute }

async function makeShare(services: Services, call: Call<"makeShare">) {
  const { runtime, names, tries, clock } = services
  const { viewer: named, mode, expiresAt, shows } = call.body
  const waitMs = tries.take(`share ${call.caller.person}`, RATE, clock.now())
  if (waitMs > 0) throw tooMany(`You can share at most ${limits.sharesPerMinute} times a minute.`, waitMs)
  const id = `shr_${randomBytes(9).toString("base64url")}`
  const secret = named === null ? `${SHARE_SECRET}${randomBytes(32).toString("base64url")}` : null
  const viewer = named === null ? null : await names.personOf(named)
  const hash = secret === null ? null : digest(secret).toString("hex")
  const share = await runtime.makeShare(addressOf(call), { id, viewer, hash, mode, expiresAt, shows }, call.txid)
  return { ...share, path: secret === null ? null : shareLinkPath({ id, secret }) }
}

async function listShares({ runtime }: Services, { caller, query }: Call<"listShares">) {
  return { shares: [...(await runtime.listShares(caller.person, query))] }
}

async function revokeShare({ runtime, followers }: Services, { caller, params, txid }: Call<"revokeShare">) {
  await runtime.revokeShare(caller.person, params.share, txid)
  followers.cutShare(params.share)
}

async function listShared({ runtime }: Services, { caller }: Call<"listShared">) {
  return { shared: [...(await runtime.listShared(caller.person))] }
}

async function openShared({ runtime }: Services, { caller, params, query }: Call<"openShared">) {
  return runtime.sharedConversation(params.share, readerOf(caller), query)
}

async function listSharedMessages({ runtime }: Services, { caller, params, query }: Call<"listSharedMessages">) {
  return runtime.sharedMessages(params.share, readerOf(caller), query)
}

async function followShared({ runtime }: Services, { caller, params }: Call<"followShared">): Promise<Source> {
  const shared = await runtime.sharedStream(params.share, readerOf(caller))
  const { stream, state, shown, isLive, shows } = shared
  return {
    stream,
    contentType: "application/json",
    encode: (changes) => encodeChanges(changes),
    state,
    lens: { name: isLive ? `live${shows.details ? " with details" : ""}` : "snapshot", share: params.share, shown },
    ...(isLive ? {} : { closed: () => true }),
  }
}

async function readSharedAttachment(
  { runtime }: Services,
  { caller, params }: Call<"readSharedAttachment">,
): Promise<RawBytes> {
  const { attachment, bytes } = await runtime.sharedAttachment(params.share, readerOf(caller), params)
  return { bytes, mediaType: attachment.mediaType, name: attachment.name }
}

async function listSharedFiles({ runtime }: Services, { caller, params }: Call<"listSharedFiles">) {
  return { files: [...(await runtime.sharedFiles(params.share, readerOf(caller)))] }
}

async function readSharedFile({ runtime }: Services, { caller, params }: Call<"readSharedFile">): Promise<RawBytes> {
  const { share, path } = params
  const { content, hash } = await runtime.sharedFile(share, readerOf(caller), path)
  return { bytes: content, mediaType: mediaTypeOf(path, content), name: path.split("/").at(-1) ?? path, etag: hash }
}

function readerOf({ link, person }: Caller): ShareReader {
  return link === undefined ? { person } : { link }
}
