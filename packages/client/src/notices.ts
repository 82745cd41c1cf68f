import type { AnswerOf, BodyInputOf, NoticeView } from "@parlor/protocol"
import type { Http } from "./http.ts"

export type NoticeWithFirings = AnswerOf<"openNotice">

/** Where this person's programs are told that a turn finished or an ask opened. */
export class Notices {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  async list(): Promise<readonly NoticeView[]> {
    const { notices } = await this.#http.ask("listNotices")
    return notices
  }

  /** With what went out last. */
  open(id: string): Promise<NoticeWithFirings> {
    return this.#http.ask("openNotice", { params: { id } })
  }

  /** The answer holds the secret to check signatures with. It is not shown again. */
  make(body: BodyInputOf<"makeNotice">): Promise<AnswerOf<"makeNotice">> {
    return this.#http.ask("makeNotice", { body, repeating: "if-undone" })
  }

  pause(id: string): Promise<NoticeView> {
    return this.#http.ask("changeNotice", { params: { id }, body: { paused: true } })
  }

  /** What happened meanwhile is told now. */
  resume(id: string): Promise<NoticeView> {
    return this.#http.ask("changeNotice", { params: { id }, body: { paused: false } })
  }

  /** Sends something of no importance and says how that went. */
  test(id: string): Promise<AnswerOf<"testNotice">> {
    return this.#http.ask("testNotice", { params: { id } })
  }

  async delete(id: string): Promise<void> {
    await this.#http.ask("deleteNotice", { params: { id } })
  }
}
