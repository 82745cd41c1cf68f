import type { RollbackPreview } from "@parlor/protocol"
import { fileWords, previewWords } from "./previewWords.ts"

export type PreviewListProps = { readonly preview: RollbackPreview; readonly agent: string }

/** What would dim, and what would become of the files (RBK-4). */
export function PreviewList({ preview, agent }: PreviewListProps) {
  const { messages, count, files } = preview
  return (
    <div className="space-y-3 text-sm">
      <p className="font-medium">{previewWords(preview)}</p>
      <ul aria-label="Messages that dim" className="max-h-48 space-y-1 overflow-y-auto text-muted">
        {count > messages.length && <li>… and {count - messages.length} before these</li>}
        {messages.map(({ id, role, author, text }) => (
          <li key={id} className="truncate">
            <span className="text-ink">{author || (role === "agent" ? agent : "You")}:</span> {text}
          </li>
        ))}
      </ul>
      {files.length > 0 && (
        <ul aria-label="Files that change" className="max-h-48 space-y-1 overflow-y-auto">
          {files.map((file) => (
            <li key={file.path} className="flex items-baseline gap-2">
              <code className="min-w-0 truncate">{file.path}</code>
              <span className={file.conflict ? "text-warn" : "text-muted"}>{fileWords(file)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
