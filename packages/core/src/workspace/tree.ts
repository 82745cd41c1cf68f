/**
 * The files of a workspace according to its rows, with what a decision needs: the file at a path, what is in its way,
 * the total size.
 *
 * Changed in place: an agent that writes thousands of files does not read thousands of rows for each.
 */
import type { FileRow } from "@parlor/protocol"
import { foldersOf, foldPath } from "./path.ts"

export type Tree = {
  readonly files: Map<string, FileRow>
  /** Of all files together. */
  bytes: number
  /** Folded names of files and folders: their real name, and how many files are at or below. */
  readonly names: Map<string, { readonly name: string; files: number }>
}

/** `last`: the newest change it includes. */
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

/** What prevents a file at a path: a file in place of a folder, a folder there, a name that looks the same. */
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
