import { type FileListing, sizeWords } from "@parlor/protocol"
import { ChevronRight, File, Folder } from "lucide-react"
import { type KeyboardEvent, useMemo, useRef, useState } from "react"
import { t } from "../../texts/en/files.ts"
import { cx } from "../../ui/cx.ts"
import { byWords, type TreeLine, treeLines } from "./fileTree.ts"
import { treeMove, visibleLines } from "./treeKeys.ts"

export type FileTreeProps = {
  readonly files: readonly FileListing[]
  readonly open: string | undefined
  readonly onOpen: (path: string) => void
}

/** Files by folder. Tab reaches one row, arrow keys the others (TAB-12). */
export function FileTree({ files, open, onOpen }: FileTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState<string>()
  const tree = useRef<HTMLDivElement>(null)
  const all = useMemo(() => treeLines(files), [files])
  const lines = visibleLines(all, closed)
  const within = [focused, open, lines[0]?.path].find((path) => lines.some((line) => line.path === path))
  const fold = (path: string, isOpen: boolean) => {
    const next = new Set(closed)
    if (isOpen) next.delete(path)
    else next.add(path)
    setClosed(next)
  }
  const choose = (line: TreeLine) => {
    setFocused(line.path)
    if (line.kind === "file") onOpen(line.path)
    else fold(line.path, closed.has(line.path))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || within === undefined) return
    const move = treeMove(event.key, lines, within, closed)
    if (move === undefined) return
    event.preventDefault()
    if (move.kind === "fold") return fold(move.path, move.isOpen)
    if (move.kind === "open") return onOpen(move.path)
    setFocused(move.path)
    tree.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(move.path)}"]`)?.focus()
  }
  return (
    <div ref={tree} role="tree" aria-label={t("files")} onKeyDown={onKeyDown} className="text-sm">
      {lines.map((line) => (
        <Line
          key={`${line.kind} ${line.path}`}
          line={line}
          isOpen={line.kind === "folder" && !closed.has(line.path)}
          isChosen={line.path === open}
          isWithin={line.path === within}
          onChoose={() => choose(line)}
        />
      ))}
    </div>
  )
}

type LineProps = {
  readonly line: TreeLine
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly isWithin: boolean
  readonly onChoose: () => void
}

function Line({ line, isOpen, isChosen, isWithin, onChoose }: LineProps) {
  const isFolder = line.kind === "folder"
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys of all its lines.
    <div
      role="treeitem"
      aria-level={line.level + 1}
      aria-selected={isChosen}
      aria-expanded={isFolder ? isOpen : undefined}
      tabIndex={isWithin ? 0 : -1}
      data-path={line.path}
      title={isFolder ? line.path : [line.path, byWords(line.file.by)].filter(Boolean).join(" · ")}
      onClick={onChoose}
      style={{ paddingLeft: `${0.375 + line.level * 1.1}rem` }}
      className={cx(
        "flex w-full cursor-pointer select-none items-center gap-1.5 rounded-md py-1 pr-1.5 hover:bg-line/50 pointer-coarse:py-2.5",
        isFolder && "text-muted",
        isChosen && "bg-line/60",
      )}
    >
      {isFolder ? (
        <ChevronRight aria-hidden className={cx("size-3 shrink-0 transition-transform", isOpen && "rotate-90")} />
      ) : (
        <span className="w-3 shrink-0" />
      )}
      {isFolder ? (
        <Folder aria-hidden className="size-3.5 shrink-0" />
      ) : (
        <File aria-hidden className="size-3.5 shrink-0 text-muted" />
      )}
      <span className="truncate">{line.name}</span>
      {!isFolder && <span className="ml-auto shrink-0 pl-2 text-muted text-xs">{sizeWords(line.file.bytes)}</span>}
    </div>
  )
}
