import type { AnswerOf, BodyInputOf, ScheduleView, Sent } from "@parlor/protocol"
import type { Http } from "./http.ts"
import { makeKey } from "./key.ts"

export type SchedulesQuery = { readonly agent?: string; readonly branch?: string }
export type ScheduleWithFirings = AnswerOf<"openSchedule">

/** Schedules that send messages to agents, and wakeups that agents requested. */
export class Schedules {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Oldest first, each with its last firing. */
  async list(query: SchedulesQuery = {}): Promise<readonly ScheduleView[]> {
    const { schedules } = await this.#http.ask("listSchedules", { query })
    return schedules
  }

  /** With its last firings and their results. */
  open(id: string): Promise<ScheduleWithFirings> {
    return this.#http.ask("openSchedule", { params: { id } })
  }

  make(body: BodyInputOf<"makeSchedule">): Promise<ScheduleView> {
    return this.#http.ask("makeSchedule", { body })
  }

  change(id: string, body: BodyInputOf<"changeSchedule">): Promise<ScheduleView> {
    return this.#http.ask("changeSchedule", { params: { id }, body })
  }

  pause(id: string): Promise<ScheduleView> {
    return this.change(id, { paused: true })
  }

  resume(id: string): Promise<ScheduleView> {
    return this.change(id, { paused: false })
  }

  /** Fires it now, in addition to its schedule. Repeating the call with the same key returns the first response. */
  fire(id: string, options: { readonly key?: string } = {}): Promise<Sent> {
    const headers = { "idempotency-key": options.key ?? makeKey() }
    return this.#http.ask("fireSchedule", { params: { id }, headers })
  }

  async delete(id: string): Promise<void> {
    await this.#http.ask("deleteSchedule", { params: { id } })
  }
}
