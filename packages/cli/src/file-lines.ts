/** Files and their changes as lines for a terminal. Pure. */
import { type FileChange, type FileListing, sizeWords } from "@parlor/protocol"
import { plain } from "./plain.ts"

/** Size, who changed it last, path. */
export function fileLines(files: readonly FileListing[]): readonly string[] {
  const cells = files.map((file) => [sizeWords(file.bytes), plain(file.by ?? ""), plain(file.path)] as const)
  const width = (index: 0 | 1) => Math.max(0, ...cells.map((cell) => cell[index].length))
  const [sizes, names] = [width(0), width(1)]
  return cells.map(([size, by, path]) =>
    [size.padStart(sizes), ...(names > 0 ? [by.padEnd(names)] : []), path].join("  "),
  )
}

/** A heading for each change, and the diff below it. */
export function changeLines(changes: readonly FileChange[]): readonly string[] {
  return changes.flatMap((change, index) => [
    ...(index === 0 ? [] : [""]),
    `${verbOf(change)} ${plain(change.path)} by ${plain(change.by)}`,
    ...(change.diff === null ? ["  (no diff)"] : change.diff === "" ? [] : plain(change.diff).split("\n")),
  ])
}

function verbOf({ before, after }: FileChange): string {
  if (after === null) return "deleted"
  return before === null ? "created" : "changed"
}
