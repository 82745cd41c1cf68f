import type { SharedConversation } from "@parlor/client"
import { sizeWords } from "@parlor/protocol"
import { FileText } from "lucide-react"
import { useCallback } from "react"
import { t } from "../../texts/en/share.ts"
import { download } from "../../ui/download.ts"
import { useList } from "../list/useList.ts"

/** The shared files, to download. */
export function SharedFiles({ shared }: { readonly shared: SharedConversation }) {
  const { items } = useList(useCallback(() => shared.files(), [shared]))
  if (items === undefined || items.length === 0) return null
  const save = async (path: string) => download(path, new Uint8Array(await (await shared.file(path)).arrayBuffer()))
  return (
    <section className="mt-8 border-line border-t pt-4">
      <h2 className="mb-2 font-semibold">{t("files")}</h2>
      <ul className="space-y-1">
        {items.map(({ path, bytes }) => (
          <li key={path}>
            <button
              type="button"
              onClick={() => void save(path).catch(() => undefined)}
              className="inline-flex max-w-full items-center gap-2 rounded-md py-1 text-sm hover:underline pointer-coarse:min-h-10"
            >
              <FileText aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 truncate">{path}</span>
              <span className="shrink-0 text-muted">{sizeWords(bytes)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
