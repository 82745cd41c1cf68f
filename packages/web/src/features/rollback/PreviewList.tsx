import { plainWords, type RollbackPreview } from "@parlor/protocol"
import { ChevronRight, TriangleAlert } from "lucide-react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/rollback.ts"
import { cx } from "../../ui/cx.ts"
import { Diff } from "../files/Diff.tsx"
import { dims, fileWords, moves, previewWords, type Scope } from "./previewWords.ts"

export type PreviewListProps = { readonly preview: RollbackPreview; readonly agent: string; readonly scope?: Scope }

/** The messages that will be hidden and the files that will change, with diffs (RBK-4, RBK-7). */
export function PreviewList({ preview, agent, scope = "both" }: PreviewListProps) {
  const { messages, count, files } = preview
  return (
    <div className="space-y-4 text-sm">
      <p role="status" className="font-medium">
        {previewWords(preview, scope)}
      </p>
      {dims(scope) && count > 0 && (
        <ul aria-label={t("messagesThatWillBeHidden")} className="max-h-40 space-y-1 overflow-y-auto text-muted">
          {count > messages.length && <li>{t("andEarlier", { count: count - messages.length })}</li>}
          {messages.map(({ id, role, author, text }) => (
            <li key={id} className="truncate">
              <span className="text-ink">{author || (role === "agent" ? agent : common("you"))}:</span>{" "}
              {plainWords(text) || t("toolsOnly")}
            </li>
          ))}
        </ul>
      )}
      {moves(scope) && files.length > 0 && (
        <ul aria-label={t("filesThatWillChange")} className="space-y-2">
          {files.map((file) => (
            <li key={file.path} className="rounded-lg border border-line bg-raised">
              <details open={files.length === 1} className="group/file">
                <summary className="flex flex-wrap items-center gap-x-2 px-3 py-2 pointer-coarse:py-2.5">
                  <ChevronRight
                    aria-hidden
                    className="size-3.5 shrink-0 text-muted transition-transform group-open/file:rotate-90"
                  />
                  <code className="min-w-0 break-all">{file.path}</code>
                  <span className={cx("text-xs", file.conflict ? "text-warn" : "text-muted")}>
                    {file.conflict && <TriangleAlert aria-hidden className="mr-1 inline size-3.5" />}
                    {fileWords(file)}
                  </span>
                </summary>
                {file.change !== "kept" && (
                  <div className="max-h-60 overflow-auto px-3 pb-3">
                    <Diff diff={file.diff} />
                  </div>
                )}
              </details>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
