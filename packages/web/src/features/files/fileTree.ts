/** Files as the rows of a tree, each folder before its contents. Pure. */

import type { FileListing } from "@parlor/protocol"
import { t } from "../../texts/en/files.ts"

export type TreeLine =
  | { readonly kind: "folder"; readonly path: string; readonly name: string; readonly level: number }
  | {
      readonly kind: "file"
      readonly path: string
      readonly name: string
      readonly level: number
      readonly file: FileListing
    }

export function treeLines(files: readonly FileListing[]): readonly TreeLine[] {
  const lines: TreeLine[] = []
  const shown = new Set<string>()
  for (const file of [...files].sort(byFolder)) {
    const steps = file.path.split("/")
    const name = steps.pop() ?? ""
    for (const [level, step] of steps.entries()) {
      const path = steps.slice(0, level + 1).join("/")
      if (!shown.has(path)) lines.push({ kind: "folder", path, name: step, level })
      shown.add(path)
    }
    lines.push({ kind: "file", path: file.path, name, level: steps.length, file })
  }
  return lines
}

/** Who changed it last, in words. */
export function byWords(by: string | undefined): string {
  if (by === undefined) return ""
  if (by === "person") return t("you")
  if (by === "hand") return t("editedOnDisk")
  return by.replace(/^agent:/, "")
}

/** Who changed it, inside a sentence. */
export function whoWords(by: string): string {
  if (by === "person") return t("byYou")
  return by === "hand" ? t("someoneOnDisk") : byWords(by)
}

/** Folders before files, then by name. */
function byFolder(a: FileListing, b: FileListing): number {
  const [left, right] = [a.path.split("/"), b.path.split("/")]
  for (let i = 0; ; i++) {
    const [one, two] = [left[i] ?? "", right[i] ?? ""]
    const isLast = Number(i === left.length - 1) - Number(i === right.length - 1)
    if (one === two && i < Math.min(left.length, right.length) - 1) continue
    return isLast || (one < two ? -1 : one > two ? 1 : 0)
  }
}
