/** Keyboard navigation of the file tree: arrows, Home, End and letters. Pure. */
import type { TreeLine } from "./fileTree.ts"

export type TreeMove =
  | { readonly kind: "focus"; readonly path: string }
  | { readonly kind: "fold"; readonly path: string; readonly isOpen: boolean }
  | { readonly kind: "open"; readonly path: string }

/** The visible lines, without the contents of closed folders. */
export function visibleLines(lines: readonly TreeLine[], closed: ReadonlySet<string>): readonly TreeLine[] {
  if (closed.size === 0) return lines
  const hidden = [...closed].map((path) => `${path}/`)
  return lines.filter((line) => !hidden.some((folder) => line.path.startsWith(folder)))
}

/** What a key does on the line at `path`; undefined for other keys. `lines` are the visible ones. */
export function treeMove(
  key: string,
  lines: readonly TreeLine[],
  path: string,
  closed: ReadonlySet<string>,
): TreeMove | undefined {
  const at = lines.findIndex((line) => line.path === path)
  const line = lines[at]
  if (line === undefined) return undefined
  const isOpen = line.kind === "folder" && !closed.has(path)
  switch (key) {
    case "ArrowDown":
      return focus(lines[at + 1])
    case "ArrowUp":
      return focus(lines[at - 1])
    case "Home":
      return focus(lines[0])
    case "End":
      return focus(lines.at(-1))
    case "ArrowRight":
      if (line.kind === "file") return undefined
      return isOpen ? focus(lines[at + 1]) : { kind: "fold", path, isOpen: true }
    case "ArrowLeft":
      return isOpen ? { kind: "fold", path, isOpen: false } : focus(lines.find((one) => isParent(one, line)))
    case "Enter":
    case " ":
      return line.kind === "file" ? { kind: "open", path } : { kind: "fold", path, isOpen: !isOpen }
    default:
      return key.length === 1 ? focus(beginningWith(key, lines, at)) : undefined
  }
}

function focus(line: TreeLine | undefined): TreeMove | undefined {
  return line && { kind: "focus", path: line.path }
}

function isParent(one: TreeLine, line: TreeLine): boolean {
  return one.kind === "folder" && line.path.startsWith(`${one.path}/`) && one.level === line.level - 1
}

/** The next line starting with that letter, wrapping around. */
function beginningWith(key: string, lines: readonly TreeLine[], at: number): TreeLine | undefined {
  const letter = key.toLowerCase()
  return [...lines.slice(at + 1), ...lines.slice(0, at + 1)].find((line) => line.name.toLowerCase().startsWith(letter))
}
