import type { Parlor } from "@parlor/client"
import { BookOpen } from "lucide-react"
import { useCallback, useEffect, useMemo } from "react"
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
  /** The chapter that is unfolded when one comes here. */
  readonly opened?: string | undefined
}

/** The older chapters of a conversation: what was summed up for the model, to read and to take back (CPT-6). */
export function ChaptersPage({ parlor, agent, branch, opened }: ChaptersPageProps) {
  const conversation = useMemo(() => parlor.conversation(agent, branch), [parlor, agent, branch])
  const { live, state } = useLive(parlor, agent, branch)
  const read = useCallback(() => conversation.archives.list(), [conversation])
  const { items, note, reload, act } = useList(read)
  const busyWith = state?.status?.busyWith ?? null
  const isCompacting = busyWith === "compaction"
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it is busy with is why the list may have changed.
  useEffect(() => void reload(), [reload, busyWith])
  const compact = (
    <Button look="main" disabled={busyWith !== null} onClick={() => act(() => conversation.compact())}>
      Compact now
    </Button>
  )
  return (
    <PageFrame
      title="Chapters"
      back={{ href: addressOf(agent, branch), to: agent }}
      actions={items !== undefined && items.length > 0 && compact}
    >
      {isCompacting && (
        <section
          aria-label="Compacting"
          className="mb-4 flex items-center gap-3 rounded-xl bg-sunken px-4 py-3 text-sm"
        >
          <span role="progressbar" aria-label="Summing up" className="size-2 animate-breathe rounded-full bg-accent" />
          <p className="mr-auto">Summing up what was said. What you send meanwhile waits.</p>
          <Button onClick={() => act(async () => live?.stop())}>Stop</Button>
        </section>
      )}
      <Refused note={note} onRetry={reload} />
      {items === undefined && note === undefined && <p className="animate-late text-muted text-sm">Loading…</p>}
      {items?.length === 0 && (
        <Empty icon={BookOpen} title="No chapters yet" action={compact}>
          When a conversation grows long, what was said first is summed up for the model: that is a chapter. It happens
          by itself when it has to, or now when you say so. Nothing is deleted, everything stays readable, and it can be
          undone.
        </Empty>
      )}
      <ul aria-label="Chapters" className="space-y-3">
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
