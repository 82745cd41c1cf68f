import type { AnswerOf, BodyInputOf, NoticeView } from "@parlor/protocol"
import type { Http } from "./http.ts"

export type NoticeWithFirings = AnswerOf<"openNotice">

/** Outgoing webhooks: they tell this person's programs that a turn ended or an ask opened. */
export class Notices {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  async list(): Promise<readonly NoticeView[]> {
    const { notices } = await this.#http.ask("listNotices")
    return notices
  }

  /** With its last deliveries. */
  open(id: string): Promise<NoticeWithFirings> {
    return this.#http.ask("openNotice", { params: { id } })
  }

  /** The response contains the secret for checking signatures. It is not shown again. */
  make(body: BodyInputOf<"makeNotice">): Promise<AnswerOf<"makeNotice">> {
    return this.#http.ask("makeNotice", { body, repeating: "if-undone" })
  }

  pause(id: string): Promise<NoticeView> {
    return this.#http.ask("changeNotice", { params: { id }, body: { paused: true } })
  }

  /** Delivers what happened while it was paused. */
  resume(id: string): Promise<NoticeView> {
    return this.#http.ask("changeNotice", { params: { id }, body: { paused: false } })
  }

  /** Sends a test delivery and returns its result. */
  test(id: string): Promise<AnswerOf<"testNotice">> {
    return this.#http.ask("testNotice", { params: { id } })
  }

  async delete(id: string): Promise<void> {
    await this.#http.ask("deleteNotice", { params: { id } })
  }
}
