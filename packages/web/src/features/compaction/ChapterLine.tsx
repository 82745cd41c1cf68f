import type { Conversation } from "@parlor/client"
import type { ArchiveRow } from "@parlor/protocol"
import { BookOpen } from "lucide-react"
import { useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/compaction.ts"
import { Button } from "../../ui/Button.tsx"
import { pageAddress } from "../place/place.ts"
import { type Note, noteOf, problemWords } from "../status/problemWords.ts"

export type ChapterLineProps = { readonly archive: ArchiveRow; readonly conversation: Conversation | undefined }

/** The mark below the messages that a chapter covers: the model sees its summary instead (CPT-1, MSG-15). */
export function ChapterLine({ archive, conversation }: ChapterLineProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Note>()
  const undo = () => {
    setBusy(true)
    conversation?.archives.undo(archive.id).catch((error: unknown) => {
      setBusy(false)
      setRefusal(noteOf(error))
    })
  }
  return (
    <section
      aria-label={t("chapterTitle", { title: archive.title })}
      className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm"
    >
      <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
      <BookOpen aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0 max-w-[60%] truncate" title={t("theModelSeesASummary")}>
        {t("chapterTitle", { title: archive.title })}
      </span>
      {conversation !== undefined && (
        <>
          <a
            href={pageAddress("chapters", conversation.agent, conversation.branch, archive.id)}
            className="underline decoration-line-strong underline-offset-2 hover:text-ink pointer-coarse:py-3"
          >
            {t("summary")}
          </a>
          <Button disabled={isBusy} onClick={undo}>
            {common("undo")}
          </Button>
        </>
      )}
      <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
      {refusal && (
        <p role="alert" className="w-full text-bad">
          {problemWords(refusal).title}
        </p>
      )}
    </section>
  )
}
