import type { FileListing } from "@parlor/protocol"
import { File, Folder } from "lucide-react"
import { cx } from "../../ui/cx.ts"
import { byWords, sizeWords, type TreeLine, treeLines } from "./fileTree.ts"

export type FileTreeProps = {
  readonly files: readonly FileListing[]
  readonly open: string | undefined
  readonly onOpen: (path: string) => void
}

export function FileTree({ files, open, onOpen }: FileTreeProps) {
  return (
    <ul aria-label="Files" className="text-sm">
      {treeLines(files).map((line) => (
        <li key={`${line.kind} ${line.path}`} style={{ paddingLeft: `${line.level * 1.1}rem` }}>
          {line.kind === "folder" ? (
            <FolderLine name={line.name} />
          ) : (
            <FileLine line={line} open={open} onOpen={onOpen} />
          )}
        </li>
      ))}
    </ul>
  )
}

function FolderLine({ name }: { readonly name: string }) {
  return (
    <span className="flex items-center gap-1.5 px-1.5 py-1 text-muted">
      <Folder aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{name}</span>
    </span>
  )
}

type FileLineProps = Pick<FileTreeProps, "open" | "onOpen"> & { readonly line: Extract<TreeLine, { kind: "file" }> }

function FileLine({ line, open, onOpen }: FileLineProps) {
  const { file, name, path } = line
  return (
    <button
      type="button"
      aria-current={path === open ? "true" : undefined}
      title={[path, byWords(file.by)].filter(Boolean).join(" · ")}
      onClick={() => onOpen(path)}
      className={cx(
        "flex w-full items-center gap-1.5 rounded-md px-1.5 py-1 text-left hover:bg-line/50",
        path === open && "bg-line/60",
      )}
    >
      <File aria-hidden className="size-3.5 shrink-0 text-muted" />
      <span className="truncate">{name}</span>
      <span className="ml-auto shrink-0 text-muted text-xs">{sizeWords(file.bytes)}</span>
    </button>
  )
}
