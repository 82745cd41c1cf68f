import type { Parlor } from "@parlor/client"
import { Search } from "lucide-react"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
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
  /** The conversation one came from. */
  readonly agent: string
  readonly branch: string
  /** As the address says. */
  readonly query: string
  readonly onRefused: () => void
}

const KINDS = [
  { value: "all", label: "All" },
  { value: "message", label: "Messages" },
  { value: "archive", label: "Chapters" },
  { value: "memory", label: "Memory" },
] as const

/** Everything that was said, by words: across all conversations and memories of this person (CPT-8). */
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
    // In place: one search is one step of the way back, however many letters it has.
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
    <PageFrame title="Search" back={{ href: addressOf(agent, branch), to: agent }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows lead from the box to the hits and between them. */}
      <div ref={list} onKeyDown={onKeyDown}>
        <SearchBox
          label="Search everything that was said"
          placeholder="Words from any conversation, or from memory"
          value={query}
          autoFocus
          onChange={(event) => type(event.target.value)}
        />
        <div className="mt-3 flex flex-wrap gap-2">
          <Segments
            label="Where to look"
            value={scope}
            options={[
              { value: "all", label: "Everywhere" },
              { value: "agent", label: `With ${agent}` },
            ]}
            onChange={setScope}
          />
          <Segments label="What to look for" value={kind} options={KINDS} onChange={setKind} />
        </div>
        <Refused
          note={problem === undefined || refused ? undefined : noteOf(problem)}
          onRetry={() => setRound(round + 1)}
        />
        <p role="status" className="mt-3 text-muted text-xs">
          {isLooking ? "Looking…" : hits === undefined ? "" : foundWords(hits, kind)}
        </p>
        {query.trim() === "" && (
          <Empty icon={Search} title="Find anything that was said">
            Messages, summaries of chapters and memories: yours, with every agent. Accents and capitals do not matter,
            and all the words have to be there.
          </Empty>
        )}
        {hits !== undefined && groups.length === 0 && (
          <Empty icon={Search} title="Nothing was found">
            {noneWords(hits, scope === "agent" ? agent : undefined)}
          </Empty>
        )}
        {groups.map((group) => (
          <section key={group.key} aria-label={group.title} className="mt-4">
            <h2 className="flex items-baseline gap-2 px-3 font-semibold text-sm">
              <span className="min-w-0 truncate">{group.title}</span>
              <span className="shrink-0 font-normal text-muted text-xs">{group.where}</span>
            </h2>
            <ul aria-label={`Found in ${group.title}`} className="mt-1">
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
