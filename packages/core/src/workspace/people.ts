/** A workspace as people reach it: by the address of its conversation, now or as it was at an earlier message (WSP-4). */
import type { Address, FileRow, TxId } from "@parlor/protocol"
import { conversationAt, conversationFor } from "../conversation/address.ts"
import type { Node } from "../node.ts"
import type { FileContent, FileView, WriteOptions } from "./access.ts"
import { filesAtMessage } from "./at.ts"
import { type Actor, blobOf } from "./change.ts"
import { type ChangePage, listChanges, turnChanges } from "./changes.ts"
import { listFiles, readFile, unknownFile } from "./look.ts"
import { checkPath } from "./path.ts"
import { workspaceOf } from "./workspace.ts"

export type EarlierFile = Pick<FileView, "path" | "bytes"> & { readonly hash: string }

/** By path. `at`: as they were when that message was sent. */
export async function filesOf(
  node: Node,
  address: Address,
  options: { readonly at: string | undefined },
): Promise<readonly (FileView | EarlierFile)[]> {
  const { id } = await conversationAt(node, address)
  if (options.at === undefined) return listFiles(node, id)
  const files = [...(await filesAtMessage(node, id, options.at))].map(([path, version]) => ({ path, ...version }))
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

export async function fileOf(
  node: Node,
  address: Address,
  path: string,
  options: { readonly at: string | undefined },
): Promise<Pick<FileContent, "content" | "hash">> {
  const { id } = await conversationAt(node, address)
  checkPath(path)
  if (options.at === undefined) return readFile(node, id, path)
  const version = (await filesAtMessage(node, id, options.at)).get(path)
  if (version === undefined) throw unknownFile(path)
  return { content: await blobOf(node, version.hash), hash: version.hash }
}

export async function putFile(
  node: Node,
  address: Address,
  path: string,
  content: Uint8Array,
  options: WriteOptions & { readonly txid: TxId },
): Promise<FileRow> {
  checkPath(path)
  const { id } = await conversationFor(node, address, options.txid)
  return workspaceOf(node, id, person(options.txid)).write(path, content, options)
}

export async function removeFile(
  node: Node,
  address: Address,
  path: string,
  options: WriteOptions & { readonly txid: TxId },
): Promise<void> {
  checkPath(path)
  const { id } = await conversationAt(node, address)
  await workspaceOf(node, id, person(options.txid)).delete(path, options)
}

/** Of one turn, or all of them by page, newest first. */
export async function changesOf(
  node: Node,
  address: Address,
  options: { readonly turn: string | undefined; readonly cursor: string | undefined; readonly limit: number },
): Promise<ChangePage> {
  const { id } = await conversationAt(node, address)
  if (options.turn === undefined) return listChanges(node, id, options)
  return { changes: await turnChanges(node, id, options.turn), cursor: null }
}

function person(txid: TxId): Actor {
  return { by: "person", turn: null, txid }
}
