import type { ArchiveRow } from "@parlor/protocol"
import { ArrowUpRight, Undo2 } from "lucide-react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/compaction.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Summary } from "../../ui/Summary.tsx"
import { LazyMarkdown } from "../markdown/LazyMarkdown.tsx"
import { chapterLine, messageCount, messagesWords, savedPercent } from "./chapterLine.ts"

export type ChapterProps = {
  readonly archive: ArchiveRow
  /** A link to its first message. */
  readonly href: string
  readonly isOpen: boolean
  readonly isBusy: boolean
  readonly onUndo: () => void
}

/** One chapter: its title, size and summary, and a link to its messages. */
export function Chapter({ archive, href, isOpen, isBusy, onUndo }: ChapterProps) {
  const isInForce = archive.ended === null
  return (
    <article
      aria-label={archive.title}
      className={cx("rounded-xl border border-line bg-raised px-4 py-3", !isInForce && "border-dashed text-muted")}
    >
      <h2 className="font-semibold">{archive.title}</h2>
      <p className="mt-0.5 text-muted text-xs">
        {messagesWords(messageCount(archive))} · {chapterLine(archive)}
        {isInForce && ` · ${t("savedpercentSmaller", { savedPercent: savedPercent(archive) })}`}
      </p>
      <details open={isOpen} className="group mt-2 text-sm">
        <Summary>{t("summaryTheModelSees")}</Summary>
        <div className="mt-2 border-line border-l-2 pl-4">
          <LazyMarkdown text={archive.summary} streaming={false} />
        </div>
      </details>
      <p className="mt-3 flex flex-wrap gap-2">
        <a
          href={href}
          className="inline-flex items-center gap-1.5 rounded-lg border border-line px-3 py-1.5 text-sm hover:border-line-strong pointer-coarse:min-h-10"
        >
          <ArrowUpRight aria-hidden className="size-3.5" /> {t("goToMessages")}
        </a>
        {isInForce && (
          <Button disabled={isBusy} onClick={onUndo}>
            <Undo2 aria-hidden className="size-3.5" /> {common("undo")}
          </Button>
        )}
      </p>
    </article>
  )
}
