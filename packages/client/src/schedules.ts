import type { AnswerOf, BodyInputOf, ScheduleView, Sent } from "@parlor/protocol"
import type { Http } from "./http.ts"
import { makeKey } from "./key.ts"

export type SchedulesQuery = { readonly agent?: string; readonly branch?: string }
export type ScheduleWithFirings = AnswerOf<"openSchedule">

/** What is to be said to agents at its time, and when they asked to be woken. */
export class Schedules {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** The oldest first, each with its last firing. */
  async list(query: SchedulesQuery = {}): Promise<readonly ScheduleView[]> {
    const { schedules } = await this.#http.ask<AnswerOf<"listSchedules">>("GET", "/v1/schedules", { query })
    return schedules
  }

  /** With its last firings and what became of them. */
  open(id: string): Promise<ScheduleWithFirings> {
    return this.#http.ask("GET", pathOf(id))
  }

  make(body: BodyInputOf<"makeSchedule">): Promise<ScheduleView> {
    return this.#http.ask("POST", "/v1/schedules", { body })
  }

  change(id: string, body: BodyInputOf<"changeSchedule">): Promise<ScheduleView> {
    return this.#http.ask("PATCH", pathOf(id), { body })
  }

  pause(id: string): Promise<ScheduleView> {
    return this.change(id, { paused: true })
  }

  resume(id: string): Promise<ScheduleView> {
    return this.change(id, { paused: false })
  }

  /** Now, beside its own times. With the same key again, it is answered as the first time. */
  fire(id: string, options: { readonly key?: string } = {}): Promise<Sent> {
    const headers = { "idempotency-key": options.key ?? makeKey() }
    return this.#http.ask("POST", `${pathOf(id)}/fire`, { headers })
  }

  async delete(id: string): Promise<void> {
    await this.#http.ask("DELETE", pathOf(id))
  }
}

function pathOf(id: string): string {
  return `/v1/schedules/${encodeURIComponent(id)}`
}
