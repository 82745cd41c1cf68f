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
    const { schedules } = await this.#http.ask("listSchedules", { query })
    return schedules
  }

  /** With its last firings and what became of them. */
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

  /** Now, beside its own times. With the same key again, it is answered as the first time. */
  fire(id: string, options: { readonly key?: string } = {}): Promise<Sent> {
    const headers = { "idempotency-key": options.key ?? makeKey() }
    return this.#http.ask("fireSchedule", { params: { id }, headers })
  }

  async delete(id: string): Promise<void> {
    await this.#http.ask("deleteSchedule", { params: { id } })
  }
}
