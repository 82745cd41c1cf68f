import type { AnswerOf, BodyInputOf, LinkView } from "@parlor/protocol"
import type { Http } from "./http.ts"

export type LinksQuery = { readonly person?: string; readonly cursor?: string; readonly limit?: number }

/** Linked names: other names of a person. */
export class Links {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Ordered by name: the linked names of this person and of those it may act for, or of one of them. */
  list(query: LinksQuery = {}): Promise<AnswerOf<"listLinks">> {
    return this.#http.ask("listLinks", { query })
  }

  /** Links `name` to `person`, or to the caller. The name must own nothing. */
  link(name: string, options: Omit<BodyInputOf<"linkName">, "name"> = {}): Promise<LinkView> {
    return this.#http.ask("linkName", { body: { ...options, name } })
  }

  /** Unlinks the name. It becomes a separate person again, without any data. */
  async unlink(name: string): Promise<void> {
    await this.#http.ask("unlinkName", { query: { name } })
  }
}
