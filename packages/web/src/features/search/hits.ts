/** Search results grouped by conversation, best first. Pure. */
import type { SearchHitView } from "@parlor/protocol"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/search.ts"
import { t as tab } from "../../texts/en/tab.ts"
import { addressOf, pageAddress } from "../place/place.ts"

export type HitGroup = {
  readonly key: string
  readonly title: string
  readonly where: string
  readonly hits: readonly SearchHitView[]
}
export type HitKind = "all" | SearchHitView["kind"]

/** The most hits requested. */
export const HITS = 60

/** A group is placed by its best hit. */
export function groupsOf(hits: readonly SearchHitView[], kind: HitKind = "all"): readonly HitGroup[] {
  const groups = new Map<string, HitGroup & { readonly hits: SearchHitView[] }>()
  for (const hit of hits) {
    if (kind !== "all" && hit.kind !== kind) continue
    const key = hit.kind === "memory" ? "memory" : `${hit.agent}/${hit.branch}`
    const group = groups.get(key) ?? { key, ...headOf(hit), hits: [] }
    groups.set(key, group)
    group.hits.push(hit)
  }
  return [...groups.values()]
}

/** The link to the message, chapter or memory. */
export function hitAddress(hit: SearchHitView, from: { readonly agent: string; readonly branch: string }): string {
  switch (hit.kind) {
    case "message":
      return addressOf(hit.agent, hit.branch, { message: hit.message })
    case "archive":
      return pageAddress("chapters", hit.agent, hit.branch, hit.archive)
    case "memory":
      return pageAddress("memory", from.agent, from.branch, `${hit.scope}/${hit.name}`)
  }
}

export function hitKey(hit: SearchHitView): string {
  if (hit.kind === "memory") return `${hit.scope}/${hit.name}`
  return hit.kind === "archive" ? hit.archive : hit.message
}

/** The author, or the type of the hit. */
export function whoWords(hit: SearchHitView): string {
  if (hit.kind === "memory") return hit.name
  if (hit.kind === "archive") return t("chapterSummary")
  const who = hit.role === "person" ? hit.author || common("you") : hit.author || hit.agent
  return hit.dimmed ? t("whoRolledBack", { who }) : who
}

/** How many hits of that type there are. At the requested maximum there may be more. */
export function foundWords(hits: readonly SearchHitView[], kind: HitKind = "all"): string {
  const count = kind === "all" ? hits.length : hits.filter((hit) => hit.kind === kind).length
  if (count === 0) return ""
  if (hits.length >= HITS)
    return count === hits.length ? t("topCount", { count }) : t("countOfTheTopLength", { count, length: hits.length })
  return t("countFound", { count })
}

/** Advice when nothing was found; `agent` when the search was limited to it. */
export function noneWords(hits: readonly SearchHitView[], agent: string | undefined): string {
  const advice = hits.length > 0 ? t("thereAreResultsOfAnother") : t("tryFewerWords")
  return agent === undefined ? advice : `${advice} ${t("orSearchEverywhereNotOnly", { agent })}`
}

export type Step = "first" | "last" | "next" | "before"

export function stepOf(key: string): Step | undefined {
  const steps: Readonly<Record<string, Step>> = { ArrowDown: "next", ArrowUp: "before", Home: "first", End: "last" }
  return steps[key]
}

/** The index of the hit a key leads to; -1 for the search box. */
export function stepped(step: Step, at: number, count: number): number {
  if (step === "first") return 0
  if (step === "last") return count - 1
  return step === "next" ? Math.min(at + 1, count - 1) : Math.max(at - 1, -1)
}

function headOf(hit: SearchHitView): Pick<HitGroup, "title" | "where"> {
  if (hit.kind === "memory") return { title: t("memory"), where: "" }
  return { title: hit.title === "" ? tab("untitled") : hit.title, where: hit.agent }
}
