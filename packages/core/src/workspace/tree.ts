/**
 * The files of a workspace as its rows say, with what a decision asks of them: who is at a path, what stands in its way,
 * how much there is.
 *
 * It is changed in place: an agent that writes thousands of files does not read thousands of rows for each.
 */
import type { FileRow } from "@parlor/protocol"
import { foldersOf, foldPath } from "./path.ts"

export type Tree = {
  readonly files: Map<string, FileRow>
  /** Of all files together. */
  bytes: number
  /** Folded names of files and folders: what they are really called, and how many files are at or below. */
  readonly names: Map<string, { readonly name: string; files: number }>
}

/** `last`: the newest change that is in it. */
export type Kept = { readonly tree: Tree; readonly last: string | undefined }

export function treeOf(rows: Iterable<FileRow>): Tree {
  const tree: Tree = { files: new Map(), bytes: 0, names: new Map() }
  for (const row of rows) putFile(tree, row)
  return tree
}

export function putFile(tree: Tree, row: FileRow): void {
  const before = tree.files.get(row.path)
  tree.files.set(row.path, row)
  tree.bytes += row.bytes - (before?.bytes ?? 0)
  if (before === undefined) for (const name of namesOf(row.path)) count(tree, name, 1)
}

export function takeFile(tree: Tree, path: string): void {
  const row = tree.files.get(path)
  if (row === undefined) return
  tree.files.delete(path)
  tree.bytes -= row.bytes
  for (const name of namesOf(path)) count(tree, name, -1)
}

/** What keeps a file from being made at a path: a file in place of a folder, a folder there, a name that looks the same. */
export function inTheWay(tree: Tree, path: string): string | undefined {
  if (tree.files.has(path)) return undefined
  for (const folder of foldersOf(path)) {
    const known = tree.names.get(foldPath(folder))
    if (known === undefined) return undefined
    if (known.name !== folder || tree.files.has(folder)) return known.name
  }
  return tree.names.get(foldPath(path))?.name
}

function count(tree: Tree, name: string, by: number): void {
  const folded = foldPath(name)
  const known = tree.names.get(folded) ?? { name, files: 0 }
  known.files += by
  if (known.files > 0) tree.names.set(folded, known)
  else tree.names.delete(folded)
}

function namesOf(path: string): readonly string[] {
  return [...foldersOf(path), path]
}
