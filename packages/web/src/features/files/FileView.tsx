import type { Files } from "@parlor/client"
import { type FileListing, sizeWords } from "@parlor/protocol"
import { ChevronLeft, Download, Ellipsis, FolderInput, History, Pencil, Trash2 } from "lucide-react"
import { useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/files.ts"
import { momentText } from "../../texts/format.ts"
import { rich } from "../../texts/rich.ts"
import { Button } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { download } from "../../ui/download.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { useOwnPart } from "../keep/OwnContext.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { contentOf } from "./content.ts"
import { FileContent } from "./FileContent.tsx"
import { FileEditor } from "./FileEditor.tsx"
import { FileHistory } from "./FileHistory.tsx"
import { ownFileDrafts } from "./fileDrafts.ts"
import { byWords } from "./fileTree.ts"
import { PathDialog } from "./PathDialog.tsx"
import { move } from "./saving.ts"
import { useOpenFile } from "./useOpenFile.ts"

export type FileViewProps = {
  readonly files: Files
  readonly conversation: string
  readonly listing: FileListing
  readonly version: unknown
  /** Called after the file was moved or deleted. */
  readonly onMoved: (path: string | undefined) => void
  readonly onChanged: () => void
  /** Back to the list, where there is no room for both. */
  readonly onClose: () => void
}

/** An open file: view, edit, history, move and delete. */
export function FileView({ files, conversation, listing, version, onMoved, onChanged, onClose }: FileViewProps) {
  const fileDrafts = useOwnPart(ownFileDrafts)
  const { path, bytes, by, at } = listing
  const { read, problem, reload } = useOpenFile(files, conversation, listing)
  const [mode, setMode] = useState<"read" | "edit" | "history">(() =>
    fileDrafts.read(conversation, path) === undefined ? "read" : "edit",
  )
  const [asking, setAsking] = useState<"move" | "delete">()
  const [refusal, setRefusal] = useState<Note>()
  const content = read && contentOf(read)
  const canEdit = content?.kind === "text" && content.isWhole
  const done = () => {
    setMode("read")
    onChanged()
  }
  const again = () => {
    setRefusal(undefined)
    reload()
  }
  const remove = () => {
    setAsking(undefined)
    files.delete(path, read ? { was: read.hash } : {}).then(
      () => {
        fileDrafts.write(conversation, path, undefined)
        onMoved(undefined)
      },
      (error: unknown) => setRefusal(noteOf(error)),
    )
  }
  return (
    <section aria-label={path} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex shrink-0 items-center gap-2 border-line border-b px-4 py-2">
        <IconButton label={t("allFiles")} className="md:hidden" onClick={onClose}>
          <ChevronLeft aria-hidden className="size-4" />
        </IconButton>
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-medium text-sm" title={path}>
            {path}
          </h2>
          <p className="truncate text-muted text-xs">
            {[sizeWords(bytes), byWords(by), at === undefined ? "" : momentText(at)].filter(Boolean).join(" · ")}
          </p>
        </div>
        {mode === "history" && <Button onClick={() => setMode("read")}>{t("content")}</Button>}
        {mode === "read" && canEdit && (
          <Button onClick={() => setMode("edit")}>
            <Pencil aria-hidden className="size-3.5" /> {common("edit")}
          </Button>
        )}
        <IconButton
          label={t("download")}
          disabled={read === undefined}
          onClick={() => read && download(path, read.bytes)}
        >
          <Download aria-hidden className="size-4" />
        </IconButton>
        <Menu
          items={[
            { label: t("history"), icon: History, onChoose: () => setMode("history") },
            { label: t("renameOrMove"), icon: FolderInput, disabled: !read, onChoose: () => setAsking("move") },
            "line",
            { label: common("delete"), icon: Trash2, bad: true, onChoose: () => setAsking("delete") },
          ]}
        >
          <IconButton label={t("moreActions", { path })}>
            <Ellipsis aria-hidden className="size-4" />
          </IconButton>
        </Menu>
      </header>
      {(problem ?? refusal) && (
        <div className="flex items-start gap-2 p-4">
          <Alert note={problem ?? refusal ?? { code: "", detail: "" }} className="flex-1" />
          <Button onClick={again}>{common("tryAgain")}</Button>
        </div>
      )}
      {mode === "edit" && read !== undefined && (
        <FileEditor files={files} conversation={conversation} path={path} read={read} onDone={done} />
      )}
      {mode !== "history" && read === undefined && problem === undefined && (
        <p className="animate-late p-4 text-muted text-sm">{common("loading")}</p>
      )}
      {mode !== "edit" && (
        <div className="min-h-0 flex-1 overflow-auto">
          {mode === "history" ? (
            <FileHistory
              files={files}
              path={path}
              hash={read?.hash ?? listing.hash}
              version={version}
              onPutBack={onChanged}
            />
          ) : (
            read !== undefined && <FileContent path={path} read={read} />
          )}
        </div>
      )}
      {asking === "move" && read !== undefined && (
        <PathDialog
          title={t("renameOrMovePath", { path })}
          action={t("move")}
          path={path}
          onDone={(to) => move(files, path, to, read).then(() => onMoved(to))}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === "delete" && (
        <Confirm title={t("deleteFile")} action={common("delete")} onDo={remove} onClose={() => setAsking(undefined)}>
          {rich(t.pieces("deleteMeans", { path: <code>{path}</code> }))}
        </Confirm>
      )}
    </section>
  )
}
