/** A workspace by the address of its conversation, now or as it was at an earlier message (WSP-4). */
import { type Address, type FileRow, Refusal, type TxId } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import type { FileContent, FileView, WriteOptions } from "../agent/workspace-access.ts"
import { conversationFor } from "../conversation/create.ts"
import { conversationAt } from "../log/address.ts"
import { checkBytes } from "../quota/quota.ts"
import { filesAtMessage } from "./at.ts"
import { type Actor, blobOf } from "./change.ts"
import { type ChangePage, type ChangesQuery, listChanges, turnChanges, versionAround } from "./changes.ts"
import type { FileAccess } from "./file-access.ts"
import { listFiles, readFile, unknownFile } from "./look.ts"
import { checkPath } from "./path.ts"
import { workspaceOf } from "./workspace.ts"

export type EarlierFile = Pick<FileView, "path" | "bytes"> & { readonly hash: string }

/** Sorted by path. `at`: as they were when that message was sent. */
export async function filesOf(
  node: FileAccess & Agents,
  address: Address,
  options: { readonly at: string | undefined },
): Promise<readonly (FileView | EarlierFile)[]> {
  const { id } = await conversationAt(node, address)
  if (options.at === undefined) return listFiles(node, id)
  const files = [...(await filesAtMessage(node, id, options.at))].map(([path, version]) => ({ path, ...version }))
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** When a message was sent, or around a change of the file; now if omitted. */
export type EarlierOptions = {
  readonly at: string | undefined
  readonly before?: string | undefined
  readonly after?: string | undefined
}

export async function fileOf(
  node: FileAccess & Agents,
  address: Address,
  path: string,
  options: EarlierOptions,
): Promise<Pick<FileContent, "content" | "hash">> {
  const { id } = await conversationAt(node, address)
  checkPath(path)
  const { at, before, after } = options
  if ([at, before, after].filter((given) => given !== undefined).length > 1)
    throw new Refusal("request.invalid", "Provide exactly one of `at`, `before`, `after`.", "at")
  if (at === undefined && before === undefined && after === undefined) return readFile(node, id, path)
  const version =
    at === undefined
      ? await versionAround(node, id, path, { before, after })
      : (await filesAtMessage(node, id, at)).get(path)
  if (version === undefined || version === null) throw unknownFile(path)
  return { content: await blobOf(node, version.hash), hash: version.hash }
}

export async function putFile(
  node: FileAccess & Agents,
  address: Address,
  path: string,
  content: Uint8Array,
  options: WriteOptions & { readonly txid: TxId },
): Promise<FileRow> {
  checkPath(path)
  // Before the conversation is created for it.
  await checkBytes(node, address.person, content.length)
  const { id } = await conversationFor(node, address, options.txid)
  return workspaceOf(node, id, actor(address, options.txid)).write(path, content, options)
}

export async function removeFile(
  node: FileAccess & Agents,
  address: Address,
  path: string,
  options: WriteOptions & { readonly txid: TxId },
): Promise<void> {
  checkPath(path)
  const { id } = await conversationAt(node, address)
  await workspaceOf(node, id, actor(address, options.txid)).delete(path, options)
}

/** Of one turn, or all by page, newest first. */
export async function changesOf(
  node: FileAccess & Agents,
  address: Address,
  options: ChangesQuery & { readonly turn: string | undefined },
): Promise<ChangePage> {
  const { id } = await conversationAt(node, address)
  if (options.turn === undefined) return listChanges(node, id, options)
  return { changes: await turnChanges(node, id, options.turn), cursor: null }
}

function actor({ person }: Address, txid: TxId): Actor {
  return { person, by: "person", turn: null, txid }
}
