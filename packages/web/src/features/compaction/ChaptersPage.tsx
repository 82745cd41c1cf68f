import type { Parlor } from "@parlor/client"
import { BookOpen } from "lucide-react"
import { useCallback, useEffect, useMemo } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/compaction.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { PageFrame } from "../../ui/PageFrame.tsx"
import { Refused } from "../list/Refused.tsx"
import { useList } from "../list/useList.ts"
import { addressOf } from "../place/place.ts"
import { useLive } from "../tab/useLive.ts"
import { Chapter } from "./Chapter.tsx"
import { chaptersInOrder } from "./chapterLine.ts"

export type ChaptersPageProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch: string
  /** The chapter to expand on arrival. */
  readonly opened?: string | undefined
}

/** The chapters of a conversation: read each summary and undo it (CPT-6). */
export function ChaptersPage({ parlor, agent, branch, opened }: ChaptersPageProps) {
  const conversation = useMemo(() => parlor.conversation(agent, branch), [parlor, agent, branch])
  const { live, state } = useLive(parlor, agent, branch)
  const read = useCallback(() => conversation.archives.list(), [conversation])
  const { items, note, reload, act } = useList(read)
  const busyWith = state?.status?.busyWith ?? null
  const isCompacting = busyWith === "compaction"
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list may have changed when compaction starts or ends.
  useEffect(() => void reload(), [reload, busyWith])
  const compact = (
    <Button look="main" disabled={busyWith !== null} onClick={() => act(() => conversation.compact())}>
      {t("compactNow")}
    </Button>
  )
  return (
    <PageFrame
      title={t("chapters")}
      back={{ href: addressOf(agent, branch), to: agent }}
      actions={items !== undefined && items.length > 0 && compact}
    >
      {isCompacting && (
        <section
          aria-label={t("compacting")}
          className="mb-4 flex items-center gap-3 rounded-xl bg-sunken px-4 py-3 text-sm"
        >
          <span
            role="progressbar"
            aria-label={t("summarizing")}
            className="size-2 animate-breathe rounded-full bg-accent"
          />
          <p className="mr-auto">{t("summarizingOlderMessagesMessagesYou")}</p>
          <Button onClick={() => act(async () => live?.stop())}>{t("stop")}</Button>
        </section>
      )}
      <Refused note={note} onRetry={reload} />
      {items === undefined && note === undefined && (
        <p className="animate-late text-muted text-sm">{common("loading")}</p>
      )}
      {items?.length === 0 && (
        <Empty icon={BookOpen} title={t("noChaptersYet")} action={compact}>
          {t("whenAConversationGetsLong")}
        </Empty>
      )}
      <ul aria-label={t("chapters")} className="space-y-3">
        {chaptersInOrder(items ?? []).map((archive) => (
          <li key={archive.id}>
            <Chapter
              archive={archive}
              href={addressOf(agent, branch, { message: archive.from })}
              isOpen={archive.id === opened}
              isBusy={busyWith !== null}
              onUndo={() => act(() => conversation.archives.undo(archive.id))}
            />
          </li>
        ))}
      </ul>
    </PageFrame>
  )
}
