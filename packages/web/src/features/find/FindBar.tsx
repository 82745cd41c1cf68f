/** The bar that finds words in a conversation. A separate chunk: see Find.tsx. */
import "./find.css"
import type { MessageRow } from "@parlor/protocol"
import { ChevronDown, ChevronUp, X } from "lucide-react"
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/find.ts"
import { Button } from "../../ui/Button.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { type Folds, foldId } from "../message/folds.ts"
import { countWords, findIn, type Hit, stepFrom } from "./find.ts"
import { useHighlight } from "./useHighlight.ts"

/** Older messages are loaded in larger steps while searching. */
const OLDER_AT_ONCE = 500

export type FindBarProps = {
  readonly messages: readonly MessageRow[]
  readonly scroller: RefObject<HTMLElement | null>
  /** There are older messages to load. */
  readonly hasOlder: boolean
  readonly onLoadOlder: (limit: number) => Promise<unknown>
  /** The search page for these words. */
  readonly searchAddress: (query: string) => string
  readonly onGoTo: (index: number) => void
  /** Expands the message of the current hit. */
  readonly folds: Pick<Folds, "lend" | "keep">
  readonly onClose: () => void
  /** Changes when the bar is opened again. */
  readonly asked: number
  /** The previously focused element, to restore the focus. */
  readonly onFocusFrom: (element: EventTarget | null) => void
  /** The initial search text, from the selection. */
  readonly wanted: string
}

export default function FindBar(props: FindBarProps) {
  const { messages, scroller, hasOlder, onLoadOlder, searchAddress, onGoTo, folds } = props
  const { onClose, onFocusFrom, asked, wanted } = props
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState(wanted)
  const [now, setNow] = useState<Hit>()
  const [loading, setLoading] = useState<"resting" | "loading" | "failed">("resting")
  const hits = useMemo(() => findIn(messages, query), [messages, query])
  useHighlight(scroller, { query, now })

  // biome-ignore lint/correctness/useExhaustiveDependencies: opening it again focuses it again
  useEffect(() => field.current?.select(), [asked])

  useEffect(() => folds.keep, [folds])

  const go = (to: Hit | undefined) => {
    // A new object even for the same hit, so that it scrolls into view again.
    setNow(to && { ...to })
    folds.lend(to?.isFolded ? foldId(to.message, to.part) : undefined)
    if (to !== undefined) onGoTo(to.index)
  }
  const onType = (text: string) => {
    setQuery(text)
    go(stepFrom(findIn(messages, text), undefined, -1))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose()
    else if (event.key === "Enter") go(stepFrom(hits, now, event.shiftKey ? -1 : 1))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const load = () => {
    setLoading("loading")
    onLoadOlder(OLDER_AT_ONCE).then(
      () => setLoading("resting"),
      () => setLoading("failed"),
    )
  }
  const isAsking = query.trim() !== ""
  return (
    <search
      aria-label={t("findInThisConversation")}
      onKeyDown={onKeyDown}
      className="absolute top-2 right-4 left-4 z-20 ml-auto max-w-96 animate-arrive rounded-xl border border-line bg-raised p-1.5 text-sm shadow-float"
    >
      <div className="flex items-center gap-1">
        <input
          ref={field}
          onFocus={(event) => onFocusFrom(event.relatedTarget)}
          type="text"
          value={query}
          onChange={(event) => onType(event.target.value)}
          aria-label={t("findInThisConversation")}
          placeholder={t("findInThisConversation")}
          className="min-w-0 flex-1 rounded-lg bg-transparent px-2.5 py-1.5 outline-none"
        />
        <span role="status" className="shrink-0 px-1 text-muted text-xs tabular-nums">
          {isAsking && countWords(hits, now)}
        </span>
        <IconButton label={t("previous")} disabled={hits.length === 0} onClick={() => go(stepFrom(hits, now, -1))}>
          <ChevronUp aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={t("next")} disabled={hits.length === 0} onClick={() => go(stepFrom(hits, now, 1))}>
          <ChevronDown aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={common("close")} onClick={onClose}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      {hasOlder && isAsking && (
        <div className="mt-1 flex flex-wrap items-center gap-2 border-line border-t px-2.5 pt-1.5 pb-0.5 text-muted text-xs">
          <span className="min-w-0 flex-1">{t("searchedTheLengthNewestMessages", { length: messages.length })}</span>
          <Button onClick={load} disabled={loading === "loading"} className="text-xs">
            {loading === "loading" ? common("loading") : loading === "failed" ? t("failedTryAgain") : t("loadOlder")}
          </Button>
          <a href={searchAddress(query.trim())} className="text-accent underline underline-offset-2">
            {t("searchEverything")}
          </a>
        </div>
      )}
    </search>
  )
}
