import type { Parlor } from "@parlor/client"
import { FilePlus2, FileText, FolderTree, ListTree, Upload } from "lucide-react"
import { type DragEvent, useMemo, useRef, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/files.ts"
import { rich } from "../../texts/rich.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Empty } from "../../ui/Empty.tsx"
import { PageFrame } from "../../ui/PageFrame.tsx"
import { addressOf, conversationOf, pageAddress } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { Alert } from "../status/Alert.tsx"
import { useLive } from "../tab/useLive.ts"
import { Changes } from "./Changes.tsx"
import { FileTree } from "./FileTree.tsx"
import { FileView } from "./FileView.tsx"
import { PathDialog } from "./PathDialog.tsx"
import { Uploaded } from "./Uploaded.tsx"
import { Uploading } from "./Uploading.tsx"
import { useFiles } from "./useFiles.ts"
import { useTaking } from "./useTaking.ts"

export type FilesPageProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch: string
  /** The open file; without one, the list of changes. */
  readonly path: string | undefined
}

/** The files of a conversation: a tree, the open file, and the changes (WSP-4). */
export function FilesPage({ parlor, agent, branch, path }: FilesPageProps) {
  const files = useMemo(() => parlor.conversation(agent, branch).files, [parlor, agent, branch])
  const { state } = useLive(parlor, agent, branch)
  const version = state?.changes
  const seen = useFiles(files, version)
  const [isMaking, setMaking] = useState(false)
  const open = (next: string | undefined) => go(pageAddress("files", agent, branch, next))
  const { take, going, taken, forget, stop } = useTaking(files, ({ made, met }) => {
    seen.reload()
    const [first] = made
    if (first !== undefined && made.length === 1 && met.length === 0) open(first)
  })
  const listing = seen.files?.find((file) => file.path === path)
  const isEmpty = seen.files?.length === 0
  return (
    <PageFrame
      title={t("files")}
      back={{ href: addressOf(agent, branch), to: agent }}
      wide
      actions={
        <Ways
          onNew={() => setMaking(true)}
          onGiven={take}
          onChanges={path === undefined ? undefined : () => open(undefined)}
        />
      }
    >
      <DropPlace onGiven={take}>
        {seen.problem !== undefined && (
          <div className="flex items-start gap-2 p-4">
            <Alert note={seen.problem} className="flex-1" />
            <Button onClick={seen.reload}>{common("tryAgain")}</Button>
          </div>
        )}
        {going !== undefined && <Uploading going={going} onStop={stop} />}
        {taken !== undefined && <Uploaded taken={taken} onReplace={() => take(taken.met, true)} onClose={forget} />}
        <div className="flex min-h-0 flex-1 max-md:flex-col">
          <nav
            aria-label={t("tree")}
            className={cx(
              "w-72 shrink-0 overflow-y-auto border-line border-r p-3 max-md:w-full max-md:border-r-0",
              isEmpty && "hidden",
              path !== undefined && "max-md:hidden",
            )}
          >
            {seen.files === undefined && <p className="animate-late text-muted text-sm">{common("loading")}</p>}
            <FileTree files={seen.files ?? []} open={path} onOpen={open} />
          </nav>
          {listing !== undefined && (
            <FileView
              key={listing.path}
              files={files}
              conversation={conversationOf({ agent, branch })}
              listing={listing}
              version={version}
              onMoved={(to) => {
                seen.reload()
                open(to)
              }}
              onChanged={seen.reload}
              onClose={() => open(undefined)}
            />
          )}
          {path !== undefined && listing === undefined && seen.files !== undefined && (
            <Empty
              icon={FileText}
              title={t("notFound")}
              action={<Button onClick={() => open(undefined)}>{t("viewChanges")}</Button>}
            >
              {rich(t.pieces("gone", { path: <code className="break-words">{path}</code> }))}
            </Empty>
          )}
          {path === undefined && isEmpty && state?.changes.length === 0 && <NoFiles agent={agent} />}
          {path === undefined && !(isEmpty && state?.changes.length === 0) && (
            <Changes files={files} version={version} there={seen.files} onOpen={open} onChanged={seen.reload} />
          )}
        </div>
      </DropPlace>
      {isMaking && (
        <PathDialog
          title={t("newFile")}
          action={t("create")}
          path=""
          onDone={async (to) => {
            await files.write(to, "", { was: null })
            seen.reload()
            open(to)
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </PageFrame>
  )
}

function NoFiles({ agent }: { readonly agent: string }) {
  return (
    <div className="flex-1">
      <Empty icon={FolderTree} title={t("none")}>
        {t("whatIsKept", { agent })}
      </Empty>
    </div>
  )
}

type WaysProps = {
  readonly onNew: () => void
  readonly onGiven: (given: readonly File[]) => void
  readonly onChanges: (() => void) | undefined
}

function Ways({ onNew, onGiven, onChanges }: WaysProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      {onChanges && (
        <Button onClick={onChanges}>
          <ListTree aria-hidden className="size-3.5" /> <span className="max-md:sr-only">{t("changes")}</span>
        </Button>
      )}
      <Button onClick={() => picker.current?.click()}>
        <Upload aria-hidden className="size-3.5" /> <span className="max-md:sr-only">{t("upload")}</span>
      </Button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t("filesToUpload")}
        onChange={(event) => {
          onGiven([...(event.target.files ?? [])])
          event.target.value = ""
        }}
      />
      <Button onClick={onNew}>
        <FilePlus2 aria-hidden className="size-3.5" /> <span className="max-md:sr-only">{t("newFile")}</span>
      </Button>
    </>
  )
}

type DropPlaceProps = { readonly onGiven: (given: readonly File[]) => void; readonly children: React.ReactNode }

function DropPlace({ onGiven, children }: DropPlaceProps) {
  const [isOver, setOver] = useState(false)
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files")
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way; the button Upload is the other.
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onDragOver={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDrop={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(false)
        onGiven([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 flex items-center justify-center rounded-xl border-2 border-accent border-dashed bg-tint/80 font-medium text-accent">
          {t("dropToUpload")}
        </div>
      )}
    </div>
  )
}
