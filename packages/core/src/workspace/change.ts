/**
 * Everything that changes files: read the disk, decide on the rows, then update the disk.
 *
 *   hand-made? ──kept, recorded──┐
 *   content ──kept by its hash───┴──▶ rows (one append) ──durable──▶ disk
 *
 * A person and a running turn, here or on another node, may write at once: each decides on the current rows, and the
 * store commits one at a time. The disk only follows rows that are durable, so a crash in between leaves a disk that
 * lags behind and catches up when it is next read.
 */
import { assert, type FileRow, parseRow, Refusal, type StreamId, type TurnId, type TxId } from "@parlor/protocol"
import { type DecideOptions, decide, expectFirst } from "../log/decide.ts"
import { type ConversationState, statusChange } from "../log/state.ts"
import type { Ports } from "../ports/ports.ts"
import type { RowQuery } from "../ports/store.ts"
import { checkFiles } from "../quota/quota.ts"
import { alone } from "./alone.ts"
import { keepContent, type Version } from "./content.ts"
import { adopt, type Found, folderOf, look, putOnDisk, takeOffDisk } from "./disk.ts"
import type { FileAccess } from "./file-access.ts"
import { BY_HAND, type FileEdit, planEdits, tooLarge } from "./plan.ts"
import { keepTree, takeTree } from "./trees.ts"

/** For more than this, reading all rows is cheaper. */
const MAX_KEYS = 50

/** On whose behalf files are changed. */
export type Actor = {
  /** The person of the conversation: the files count against their quota (SEC-23, SEC-42). */
  readonly person: string
  /** `agent:<name>` or `person`. */
  readonly by: string
  readonly turn: TurnId | null
  readonly txid: TxId
  /** For a running turn: rejected if it was replaced, kept while the store is down. */
  readonly owner?: NonNullable<DecideOptions["owner"]>
  /** A tool that outlived a stopped turn writes nothing more. */
  readonly signal?: AbortSignal
}

/** What is at a path now, including edits by hand. */
type Now = (path: string) => Version | undefined

export type Wanted = {
  /** All paths the edits may affect. */
  readonly paths: readonly string[]
  /** Called again if another decision came first. */
  readonly edits: (now: Now) => readonly Pick<FileEdit, "path" | "after">[]
  /** Contents that need not be read from the store again, by hash. */
  readonly contents?: ReadonlyMap<string, Uint8Array>
}

/** Returns the rows at the paths afterwards. */
export function changeFiles(
  node: FileAccess,
  stream: StreamId,
  actor: Actor,
  wanted: Wanted,
): Promise<ReadonlyMap<string, FileRow | undefined>> {
  return alone(node, stream, async () => {
    const folder = await folderOf(node, stream)
    const rows = await rowsAt(node, stream, wanted.paths)
    const found = new Map<string, Found>()
    for (const path of wanted.paths) found.set(path, await look(node, folder, path, rows.get(path)))
    const hands = await keepHandMade(node, stream, found)
    const after = await decideFiles(node, stream, actor, wanted, hands)
    await adopt(node, folder, hands)
    for (const path of wanted.paths) {
      const row = after.get(path)
      if (found.get(path)?.kind === "same" && row?.hash === rows.get(path)?.hash) continue
      if (row === undefined) await takeOffDisk(node, folder, path)
      else await putOnDisk(node, folder, row, wanted.contents?.get(row.hash) ?? (await blobOf(node, row.hash)))
    }
    return after
  })
}

export async function rowsAt(
  node: Ports,
  stream: StreamId,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileRow>> {
  const queries: RowQuery[] =
    paths.length > MAX_KEYS ? [{ collection: "files" }] : paths.map((key) => ({ collection: "files", key }))
  const lists = (await node.store.log.read(stream, queries))?.lists ?? []
  return new Map(lists.flat().map((row) => [row.key, parseRow("files", row.value)]))
}

/** Edits by hand on disk, to be recorded before anything else. */
async function keepHandMade(
  node: FileAccess,
  stream: StreamId,
  found: ReadonlyMap<string, Found>,
): Promise<ReadonlyMap<string, Version>> {
  const hands = new Map<string, Version>()
  for (const [path, disk] of found) {
    // A hard-linked file keeps its content under its other name, and may not belong to this workspace at all.
    if (disk.kind !== "hand" || disk.linked) continue
    if (disk.content === null) throw tooLarge(`${path}, which was edited by hand and would be lost,`, disk.bytes)
    hands.set(path, await keepContent(node, stream, disk.content))
  }
  return hands
}

/** Writes the rows of `wanted`, after `hands`: what is there without a row, made by hand or before a program changed it. */
export async function decideFiles(
  node: FileAccess,
  stream: StreamId,
  actor: Actor,
  wanted: Wanted,
  hands: ReadonlyMap<string, Version>,
): Promise<ReadonlyMap<string, FileRow | undefined>> {
  const isReal = (await folderOf(node, stream))?.real !== undefined
  const make = async (state: ConversationState) => {
    actor.signal?.throwIfAborted()
    const kept = await takeTree(node, state)
    const { tree } = kept
    const asked = wanted.edits((path) => hands.get(path) ?? tree.files.get(path))
    // Edits by hand are recorded whatever their number: they exist already.
    const added = asked.map(
      ({ path, after }) => Number(after !== null) - Number(hands.has(path) || tree.files.has(path)),
    )
    await checkFiles(
      node,
      actor.person,
      added.reduce((sum, more) => sum + more, 0),
    )
    const edits: FileEdit[] = [
      ...[...hands].map(([path, after]) => {
        const isBaseline = isReal && !tree.files.has(path)
        return { path, after, by: BY_HAND, turn: null, isBaseline }
      }),
      ...asked.map((edit) => ({ ...edit, by: actor.by, turn: actor.turn })),
    ]
    const { changes, status } = planEdits(state, tree, edits, node.clock.now())
    return {
      answer: { tree, last: changes.at(-1)?.key ?? kept.last },
      changes: changes.length === 0 ? [] : [...changes, statusChange(status)],
    }
  }
  const { owner, txid } = actor
  const decided = await decide(node, stream, make, { txid, ...(owner === undefined ? {} : { owner }) })
  const { answer } = expectFirst(decided)
  keepTree(node, stream, answer)
  return new Map(wanted.paths.map((path) => [path, answer.tree.files.get(path)]))
}

export async function blobOf(node: Ports, hash: string): Promise<Uint8Array> {
  const content = await node.store.blobs.get(hash)
  assert(content !== undefined, `a row names the content ${hash}, which is not in the store`)
  return content
}

/** Throws if the file is not what the caller has seen. */
export function checkWas(path: string, now: Version | undefined, was: string | null | undefined): void {
  if (was === undefined || (now?.hash ?? null) === was || (was === "*" && now !== undefined)) return
  if (was === null) throw new Refusal("file.exists", `The file ${path} already exists.`)
  throw new Refusal("file.changed", `${path} was changed or removed since it was read. Read it again.`)
}
