import type { Parlor } from "@parlor/client"
import { Search } from "lucide-react"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import { t } from "../../texts/en/search.ts"
import { Empty } from "../../ui/Empty.tsx"
import { SearchBox } from "../../ui/Field.tsx"
import { PageFrame } from "../../ui/PageFrame.tsx"
import { Segments } from "../../ui/Segments.tsx"
import { Refused } from "../list/Refused.tsx"
import { addressOf, pageAddress } from "../place/place.ts"
import { noteOf, refusesToken } from "../status/problemWords.ts"
import { HitView } from "./HitView.tsx"
import { foundWords, groupsOf, type HitKind, hitAddress, hitKey, noneWords, stepOf, stepped } from "./hits.ts"
import { useSearch } from "./useSearch.ts"

export type SearchPageProps = {
  readonly parlor: Parlor
  /** The conversation to go back to. */
  readonly agent: string
  readonly branch: string
  /** The search text from the address. */
  readonly query: string
  readonly onRefused: () => void
}

const kinds = () =>
  [
    { value: "all", label: t("all") },
    { value: "message", label: t("messages") },
    { value: "archive", label: t("chapters") },
    { value: "memory", label: t("memory") },
  ] as const

/** Full-text search across this person's conversations and memories (CPT-8). */
export function SearchPage({ parlor, agent, branch, query: given, onRefused }: SearchPageProps) {
  const [query, setQuery] = useState(given)
  const [scope, setScope] = useState<"all" | "agent">("all")
  const [kind, setKind] = useState<HitKind>("all")
  const [round, setRound] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => setQuery(given), [given])
  const { hits, problem } = useSearch(parlor, { query, agent: scope === "agent" ? agent : undefined }, round)
  const refused = refusesToken(problem)
  useEffect(() => {
    if (refused) onRefused()
  }, [refused, onRefused])
  const isLooking = query.trim() !== "" && hits === undefined && problem === undefined
  const type = (next: string) => {
    setQuery(next)
    // Replaces the history entry, so that the back button skips a whole search.
    history.replaceState(null, "", pageAddress("search", agent, branch, next.trim() === "" ? undefined : next))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.key)
    const isTyping = event.target instanceof HTMLInputElement
    if (step === undefined || (isTyping && step !== "next")) return
    const links = [...(list.current?.querySelectorAll<HTMLElement>("[data-hit]") ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    if (links.length === 0 || (at === -1 && !isTyping)) return
    event.preventDefault()
    const next = links[stepped(step, at, links.length)] ?? list.current?.querySelector<HTMLElement>("input")
    next?.focus()
  }
  const groups = groupsOf(hits ?? [], kind)
  return (
    <PageFrame title={t("search")} back={{ href: addressOf(agent, branch), to: agent }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows lead from the box to the hits and between them. */}
      <div ref={list} onKeyDown={onKeyDown}>
        <SearchBox
          label={t("searchAllConversationsAndMemories")}
          placeholder={t("searchAllConversationsAndMemories")}
          value={query}
          autoFocus
          onChange={(event) => type(event.target.value)}
        />
        <div className="mt-3 flex flex-wrap gap-2">
          <Segments
            label={t("searchIn")}
            value={scope}
            options={[
              { value: "all", label: t("everywhere") },
              { value: "agent", label: t("withAgent", { agent }) },
            ]}
            onChange={setScope}
          />
          <Segments label={t("resultType")} value={kind} options={kinds()} onChange={setKind} />
        </div>
        <Refused
          note={problem === undefined || refused ? undefined : noteOf(problem)}
          onRetry={() => setRound(round + 1)}
        />
        <p role="status" className="mt-3 text-muted text-xs">
          {isLooking ? t("searching") : hits === undefined ? "" : foundWords(hits, kind)}
        </p>
        {query.trim() === "" && (
          <Empty icon={Search} title={t("searchEverything")}>
            {t("findsYourMessagesChapterSummaries")}
          </Empty>
        )}
        {hits !== undefined && groups.length === 0 && (
          <Empty icon={Search} title={t("noResults")}>
            {noneWords(hits, scope === "agent" ? agent : undefined)}
          </Empty>
        )}
        {groups.map((group) => (
          <section key={group.key} aria-label={group.title} className="mt-4">
            <h2 className="flex items-baseline gap-2 px-3 font-semibold text-sm">
              <span className="min-w-0 truncate">{group.title}</span>
              <span className="shrink-0 font-normal text-muted text-xs">{group.where}</span>
            </h2>
            <ul aria-label={t("foundInTitle", { title: group.title })} className="mt-1">
              {group.hits.map((hit) => (
                <HitView key={hitKey(hit)} hit={hit} href={hitAddress(hit, { agent, branch })} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </PageFrame>
  )
}
