/**
 * Turns edits of files into rows. Pure.
 *
 * Each change of a file is two rows in one append (WSP-2): the current state in `files`, and before and after in
 * `changes`. A change's id is made of the control counter its decision was based on and its index in the decision. The
 * store commits one decision per counter, so ids are unique and in order.
 */
import {
  type ChangeRow,
  type FileRow,
  limits,
  type Millis,
  type NewChange,
  Refusal,
  type StatusRow,
  type TurnId,
} from "@parlor/protocol"
import type { ConversationState } from "../log/state.ts"
import type { Version } from "./content.ts"
import { inTheWay, putFile, type Tree, takeFile } from "./tree.ts"

/** The author of a file found on disk that Parlor had not written. */
export const BY_HAND = "hand"

export type FileEdit = {
  readonly path: string
  /** Null: the file is deleted. */
  readonly after: Version | null
  readonly by: string
  readonly turn: TurnId | null
  /** The file was there before Parlor touched anything: no rollback undoes this (WSP-8). */
  readonly isBaseline?: boolean
}

/** Older than any message. */
export const BASELINE_ORD = -1

export type Plan = {
  readonly changes: readonly NewChange[]
  /** After the changes. Its row is not among them. */
  readonly status: StatusRow
}

/**
 * Applies the edits to `tree`, one after another, and returns what to write. Edits without effect are left out. Throws
 * if there is no room or something is in the way: `tree` is then invalid and has to be read again.
 */
export function planEdits(state: ConversationState, tree: Tree, edits: readonly FileEdit[], at: Millis): Plan {
  const changes: NewChange[] = []
  let { latestFile } = state.status
  for (const edit of edits) {
    const before = tree.files.get(edit.path)
    if (before?.hash === edit.after?.hash) continue
    const row = edit.after && rowOf(edit, edit.after, at)
    if (row === null) takeFile(tree, edit.path)
    else checkedPut(tree, row)
    changes.push(...written(before, row), changed(state, edit, before, changes.length / 2, at))
    if (row !== null) latestFile = edit.path
    else if (latestFile === edit.path) latestFile = newest(tree)
  }
  if (changes.length === 0) return { changes, status: state.status }
  return { changes, status: { ...state.status, latestFile, files: tree.files.size } }
}

function rowOf({ path, by, turn }: FileEdit, { hash, bytes }: Version, at: Millis): FileRow {
  return { path, hash, bytes, by, turn, at }
}

/** Throws if there is no room or something is in the way. */
export function checkedPut(tree: Tree, row: FileRow): void {
  if (row.bytes > limits.fileBytes) throw tooLarge(row.path, row.bytes)
  const other = inTheWay(tree, row.path)
  if (other !== undefined)
    throw new Refusal(
      "file.clash",
      `${row.path} cannot be created: ${other} is in the way, as a file, a folder or a similar name.`,
    )
  if (!tree.files.has(row.path) && tree.files.size >= limits.workspaceFiles)
    throw new Refusal("workspace.full", `The workspace already has the maximum of ${limits.workspaceFiles} files.`)
  const grown = tree.bytes + row.bytes - (tree.files.get(row.path)?.bytes ?? 0)
  if (grown > limits.workspaceBytes && grown > tree.bytes)
    throw new Refusal("workspace.full", `All files together can have at most ${limits.workspaceBytes} bytes.`)
  putFile(tree, row)
}

export function tooLarge(path: string, bytes: number): Refusal {
  return new Refusal("file.too-large", `${path} is too large (${bytes} bytes). The maximum is ${limits.fileBytes}.`)
}

function written(before: FileRow | undefined, row: FileRow | null): readonly NewChange[] {
  if (row !== null)
    return [{ collection: "files", key: row.path, operation: before === undefined ? "insert" : "update", row }]
  return before === undefined ? [] : [{ collection: "files", key: before.path, operation: "delete", row: before }]
}

function changed(
  state: ConversationState,
  edit: FileEdit,
  before: FileRow | undefined,
  index: number,
  at: Millis,
): NewChange {
  const row: ChangeRow = {
    id: changeId(state.stream.control, index),
    ord: edit.isBaseline === true ? BASELINE_ORD : state.lastOrd,
    path: edit.path,
    before: before?.hash ?? null,
    after: edit.after?.hash ?? null,
    bytes: edit.after?.bytes ?? 0,
    bytesBefore: before?.bytes ?? 0,
    by: edit.by,
    turn: edit.turn,
    at,
  }
  return { collection: "changes", key: row.id, operation: "insert", row }
}

const CONTROL_DIGITS = 14
const INDEX_DIGITS = 5

export function changeId(control: number, index: number): string {
  return `chg_${String(control).padStart(CONTROL_DIGITS, "0")}${String(index).padStart(INDEX_DIGITS, "0")}`
}

function newest(tree: Tree): string | null {
  let found: FileRow | undefined
  for (const row of tree.files.values()) if (found === undefined || row.at > found.at) found = row
  return found?.path ?? null
}
