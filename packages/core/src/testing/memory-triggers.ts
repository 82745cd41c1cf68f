/** Triggers and firings in memory. */
import { limits, type Millis, type StreamId } from "@parlor/protocol"
import type { FiringRecord, TriggerKind, TriggerRecord, Triggers } from "../ports/triggers.ts"
import { compareText } from "./memory-rows.ts"

type Page = Parameters<Triggers["due"]>[2]
type Bounds = Parameters<Triggers["add"]>[1]

export class MemoryTriggers {
  readonly #triggers = new Map<string, TriggerRecord>()
  readonly #firings = new Map<string, Map<string, FiringRecord>>()

  get(id: string): TriggerRecord | undefined {
    return this.#triggers.get(id)
  }

  ofPerson(person: string, kinds: readonly TriggerKind[]): TriggerRecord[] {
    return this.#sorted((one) => one.person === person && kinds.includes(one.kind))
  }

  on(stream: StreamId, kind: TriggerKind): TriggerRecord[] {
    return this.#sorted((one) => one.stream === stream && one.kind === kind)
  }

  byId(
    kinds: readonly TriggerKind[],
    { after, limit }: { readonly after: string; readonly limit: number },
  ): TriggerRecord[] {
    const found = [...this.#triggers.values()].filter(
      ({ id, kind }) => kinds.includes(kind) && compareText(id, after) > 0,
    )
    return found.sort((a, b) => compareText(a.id, b.id)).slice(0, limit)
  }

  add(record: TriggerRecord, { per, most }: Bounds): "added" | "known" | "full" {
    if (this.#triggers.has(record.id)) return "known"
    const same = [...this.#triggers.values()].filter((one) => one.kind === record.kind && one[per] === record[per])
    if (record.live && same.filter(({ live }) => live).length >= most) return "full"
    this.#triggers.set(record.id, record)
    const over = this.#sorted((one) => one.stream === record.stream && one.kind === record.kind && !one.live)
    for (const { id } of over.slice(0, -limits.firings)) this.delete(id)
    return "added"
  }

  change(record: TriggerRecord, firings: readonly FiringRecord[]): boolean {
    const known = this.#triggers.get(record.id)
    if (known === undefined || known.version !== record.version - 1) return false
    this.#triggers.set(record.id, { ...record, stream: known.stream, createdAt: known.createdAt })
    for (const firing of firings) this.put(firing)
    return true
  }

  delete(id: string): boolean {
    this.#firings.delete(id)
    return this.#triggers.delete(id)
  }

  dropPerson(person: string): void {
    for (const one of [...this.#triggers.values()]) if (one.person === person) this.delete(one.id)
  }

  release(stream: StreamId): void {
    for (const one of [...this.#triggers.values()]) if (one.stream === stream) this.delete(one.id)
  }

  /** Moves the triggers of one stream to another. */
  move(from: StreamId, to: StreamId): void {
    for (const one of this.#triggers.values())
      if (one.stream === from) this.#triggers.set(one.id, { ...one, stream: to })
  }

  due(kinds: readonly TriggerKind[], now: Millis, { limit, after }: Page): TriggerRecord[] {
    const due = [...this.#triggers.values()].filter(
      (one) => kinds.includes(one.kind) && one.lookAt !== null && one.lookAt <= now,
    )
    const ordered = due.sort(byLook)
    return ordered.filter((one) => after === undefined || byLook(one, after) > 0).slice(0, limit)
  }

  nextLook(kinds: readonly TriggerKind[]): Millis | undefined {
    const looks = [...this.#triggers.values()].flatMap(({ kind, lookAt }) =>
      kinds.includes(kind) && lookAt !== null ? [lookAt] : [],
    )
    return looks.length === 0 ? undefined : Math.min(...looks)
  }

  firings(triggers: readonly string[], most: number): FiringRecord[] {
    return triggers.flatMap((id) => this.#newest(id).slice(0, most))
  }

  put(firing: FiringRecord): void {
    if (!this.#triggers.has(firing.trigger)) return
    const known = this.#firings.get(firing.trigger) ?? new Map<string, FiringRecord>()
    this.#firings.set(firing.trigger, known)
    if (known.get(firing.id)?.kind === "sent") return
    known.set(firing.id, firing)
    const isRefused = firing.kind === "refused"
    const alike = this.#newest(firing.trigger).filter(({ kind }) => (kind === "refused") === isRefused)
    for (const { id } of alike.slice(isRefused ? limits.firingsRefused : limits.firings)) known.delete(id)
  }

  /** The size of a person's triggers and their firings, as JSON text. */
  valuesOf(person: string): string[] {
    const own = [...this.#triggers.values()].filter((one) => one.person === person)
    return own.flatMap(({ id, value }) => [value, ...this.#newest(id).map((firing) => firing.value)])
  }

  countSent(stream: StreamId, kind: TriggerKind, since: Millis): number {
    const fired = this.on(stream, kind).flatMap(({ id }) => this.#newest(id))
    return fired.filter((firing) => firing.kind === "sent" && firing.at >= since).length
  }

  #newest(trigger: string): FiringRecord[] {
    return [...(this.#firings.get(trigger)?.values() ?? [])].sort((a, b) => b.at - a.at || compareText(b.id, a.id))
  }

  #sorted(isWanted: (one: TriggerRecord) => boolean): TriggerRecord[] {
    const found = [...this.#triggers.values()].filter(isWanted)
    return found.sort((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id))
  }
}

function byLook(a: Pick<TriggerRecord, "lookAt" | "id">, b: Pick<TriggerRecord, "lookAt" | "id">): number {
  return (a.lookAt ?? 0) - (b.lookAt ?? 0) || compareText(a.id, b.id)
}
