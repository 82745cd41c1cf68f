/** What was found, as the page shows it: by the conversation it is in, best first. Pure. */
import type { SearchHitView } from "@parlor/protocol"
import { addressOf, pageAddress } from "../place/place.ts"

export type HitGroup = {
  readonly key: string
  readonly title: string
  readonly where: string
  readonly hits: readonly SearchHitView[]
}
export type HitKind = "all" | SearchHitView["kind"]

/** The most that is asked for. */
export const HITS = 60

/** A group stands where its best hit does. */
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

/** Where it leads: to the message itself, the chapter, or the memory. */
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

/** Who said it, or what it is. */
export function whoWords(hit: SearchHitView): string {
  if (hit.kind === "memory") return hit.name
  if (hit.kind === "archive") return "Summary of a chapter"
  const who = hit.role === "person" ? hit.author || "You" : hit.author || hit.agent
  return hit.dimmed ? `${who} · rolled back` : who
}

/** How many of that kind there are. When the server gave as many as were asked for, there may be more. */
export function foundWords(hits: readonly SearchHitView[], kind: HitKind = "all"): string {
  const count = kind === "all" ? hits.length : hits.filter((hit) => hit.kind === kind).length
  if (count === 0) return ""
  if (hits.length >= HITS) return count === hits.length ? `The best ${count}` : `${count} of the best ${hits.length}`
  return `${count} found`
}

/** What may help when nothing of that kind was found; `agent` when it was looked for with that one only. */
export function noneWords(hits: readonly SearchHitView[], agent: string | undefined): string {
  const wider = agent === undefined ? "" : ` Or look everywhere, not only with ${agent}.`
  return hits.length > 0 ? `There is something of another kind: choose All.${wider}` : `Fewer words find more.${wider}`
}

export type Step = "first" | "last" | "next" | "before"

export function stepOf(key: string): Step | undefined {
  const steps: Readonly<Record<string, Step>> = { ArrowDown: "next", ArrowUp: "before", Home: "first", End: "last" }
  return steps[key]
}

/** The place of the hit a key leads to; -1 for the box above them. */
export function stepped(step: Step, at: number, count: number): number {
  if (step === "first") return 0
  if (step === "last") return count - 1
  return step === "next" ? Math.min(at + 1, count - 1) : Math.max(at - 1, -1)
}

function headOf(hit: SearchHitView): Pick<HitGroup, "title" | "where"> {
  if (hit.kind === "memory") return { title: "Memory", where: "" }
  const where = `${hit.agent}/${hit.branch}`
  return hit.title === "" ? { title: where, where: "" } : { title: hit.title, where }
}
