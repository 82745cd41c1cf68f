/**
 * Reads what is shared: never a rolled back message, and of a snapshot nothing newer than it (SHR-3, SHR-4). Costs do
 * not grow with the length of the conversation, nor with how much of it was rolled back.
 */
import {
  type AttachmentPart,
  type DeltaRow,
  type MessageRow,
  parseRow,
  parseRows,
  Refusal,
  type SharedConversation,
  type SharedPage,
  SNAPSHOT_TXID,
  STATUS_KEY,
  type StatusRow,
  type StoredChange,
  type StreamId,
  type TxId,
  withDeltas,
} from "@parlor/protocol"
import { readAttachment } from "../composer/attach.ts"
import { parseMessageCursor, readMessagePage } from "../conversation/message-page.ts"
import type { StateView } from "../conversation/state-view.ts"
import { findOnLine, isOnLineDimmed, type LineEnd } from "../log/line.ts"
import { offsetAt } from "../log/offset-at.ts"
import type { Ports } from "../ports/ports.ts"
import type { ShareRecord } from "../ports/shares.ts"
import { filesAt } from "../workspace/at.ts"
import { blobOf } from "../workspace/change.ts"
import type { FileAccess } from "../workspace/file-access.ts"
import { listFiles, readFile, unknownFile } from "../workspace/look.ts"
import { checkPath } from "../workspace/path.ts"
import { type OpenShare, openShare, type ShareReader } from "./open-share.ts"
import { sharedView } from "./share.ts"
import { isShownDelta, type Shows, shownChange, shownMessage, shownStatus } from "./shown.ts"

export async function sharedConversation(
  node: Ports,
  id: string,
  reader: ShareReader,
  { messages: limit }: { readonly messages: number },
): Promise<SharedConversation> {
  const { share, status } = await openShare(node, id, reader)
  const { messages, older } = await shownPage(node, share, { limit })
  const state = share.upTo === null ? shownStatus(status).state : "idle"
  return { ...sharedView(share, status), state, shows: share.shows, messages: [...messages].reverse(), older }
}

/** Newest first. */
export async function sharedMessages(
  node: Ports,
  id: string,
  reader: ShareReader,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<SharedPage> {
  const { share } = await openShare(node, id, reader)
  return shownPage(node, share, { limit, before: before === undefined ? undefined : parseMessageCursor(before) })
}

export type SharedStream = {
  readonly stream: StreamId
  /** A snapshot ends after its rows. */
  readonly isLive: boolean
  readonly shows: Shows
  readonly state: (messages: number) => Promise<StateView>
  readonly shown: (change: StoredChange) => StoredChange | undefined
}

export async function sharedStream(node: Ports, id: string, reader: ShareReader): Promise<SharedStream> {
  const { share, status } = await openShare(node, id, reader)
  const isLive = share.upTo === null
  return {
    stream: share.stream,
    isLive,
    shows: share.shows,
    state: (messages) => stateOf(node, { share, status }, messages),
    shown: (change) => (isLive ? shownChange(change, share.shows) : undefined),
  }
}

/** Only of a message that is shared: the same content elsewhere in the conversation does not count. */
export async function sharedAttachment(
  node: Ports,
  id: string,
  reader: ShareReader,
  { message: wanted, hash }: { readonly message: string; readonly hash: string },
): Promise<{ readonly attachment: AttachmentPart; readonly bytes: Uint8Array }> {
  const { share } = await openShare(node, id, reader)
  const found = await findOnLine(node.store, share.stream, wanted, endOf(share))
  const parts = found === undefined || isOnLineDimmed(found.message.ord, found.section) ? [] : found.message.parts
  const attachment = parts.find((part) => part.type === "attachment" && part.hash === hash)
  if (attachment?.type !== "attachment")
    throw new Refusal("attachment.unknown", "No shared message has this attachment.")
  const { bytes } = await readAttachment(node, share.person, hash)
  return { attachment, bytes }
}

export async function sharedFiles(
  node: FileAccess,
  id: string,
  reader: ShareReader,
): Promise<readonly { readonly path: string; readonly bytes: number }[]> {
  const { share } = await openShare(node, id, reader)
  if (!share.shows.files) return []
  if (share.upTo === null) return (await listFiles(node, share.stream)).map(({ path, bytes }) => ({ path, bytes }))
  const files = [...(await filesAt(node, share.stream, share.upTo.ord + 1))]
  return files.map(([path, { bytes }]) => ({ path, bytes })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

export async function sharedFile(
  node: FileAccess,
  id: string,
  reader: ShareReader,
  path: string,
): Promise<{ readonly content: Uint8Array; readonly hash: string }> {
  checkPath(path)
  const { share } = await openShare(node, id, reader)
  if (!share.shows.files) throw unknownFile(path)
  if (share.upTo === null) return readFile(node, share.stream, path)
  const version = (await filesAt(node, share.stream, share.upTo.ord + 1)).get(path)
  if (version === undefined) throw unknownFile(path)
  return { content: await blobOf(node, version.hash), hash: version.hash }
}

type Page = { readonly limit: number; readonly before?: number | undefined }

async function shownPage(node: Ports, share: ShareRecord, { limit, before }: Page): Promise<SharedPage> {
  const page = await messagesOf(node, share, { limit, before }, (message, deltas) =>
    shownMessage(withDeltas(message, deltas), share.shows),
  )
  return { messages: [...page.messages], older: page.older }
}

/** Newest first. */
function messagesOf(
  node: Ports,
  share: ShareRecord,
  page: Page,
  show: (message: MessageRow, deltas: readonly DeltaRow[]) => MessageRow,
) {
  let deltas: readonly DeltaRow[] | undefined
  return readMessagePage(node, share.stream, {
    ...page,
    visible: true,
    end: endOf(share),
    also: [{ collection: "deltas" }],
    show: ({ row }, read) => {
      deltas ??= shownDeltas(parseRows("deltas", read.lists[0]), share)
      return show(parseRow("messages", row.value), deltas)
    },
  })
}

/** Nothing of a snapshot is streaming. */
function shownDeltas(deltas: readonly DeltaRow[], { shows, upTo }: ShareRecord): readonly DeltaRow[] {
  return upTo === null ? deltas.filter((delta) => isShownDelta(delta, shows)) : []
}

function endOf({ upTo }: ShareRecord): LineEnd | undefined {
  return upTo === null ? undefined : { asOf: upTo.seq, upTo: upTo.ord }
}

async function stateOf(node: Ports, { share, status }: OpenShare, limit: number): Promise<StateView> {
  const page = await messagesOf(node, share, { limit }, (message) => shownMessage(message, share.shows))
  const { head } = page.read.stream
  const at = node.clock.now()
  const insert = (collection: StoredChange["collection"], key: string, row: unknown): StoredChange => ({
    seq: head,
    collection,
    key,
    operation: "insert",
    value: JSON.stringify(row),
    txid: SNAPSHOT_TXID as TxId,
    at,
  })
  const shown: StatusRow = shownStatus(share.upTo === null ? status : { ...status, state: "idle", ...share.upTo })
  const rows = [
    insert("status", STATUS_KEY, shown),
    ...[...page.messages].reverse().map((message) => insert("messages", message.id, message)),
    ...shownDeltas(parseRows("deltas", page.read.lists[0]), share).map((delta) =>
      insert("deltas", `${delta.message}/${delta.part}/${delta.n}`, delta),
    ),
  ]
  async function* pieces(): AsyncGenerator<readonly StoredChange[]> {
    yield rows
  }
  return { head, offset: await offsetAt(node, share.stream, head), pieces: pieces() }
}
