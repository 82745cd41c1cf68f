import type { AnswerOf, BodyInputOf, LinkView } from "@parlor/protocol"
import type { Http } from "./http.ts"

export type LinksQuery = { readonly person?: string; readonly cursor?: string; readonly limit?: number }

/** Which names are other names of whom. */
export class Links {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** By name: of this person and those it may act for, or of one of them. */
  list(query: LinksQuery = {}): Promise<AnswerOf<"listLinks">> {
    return this.#http.ask("listLinks", { query })
  }

  /** Makes `name` another name of `person`, or of this one. It may not have anything of its own. */
  link(name: string, options: Omit<BodyInputOf<"linkName">, "name"> = {}): Promise<LinkView> {
    return this.#http.ask("linkName", { body: { ...options, name } })
  }

  /** The name is a person of its own again, with nothing. */
  async unlink(name: string): Promise<void> {
    await this.#http.ask("unlinkName", { query: { name } })
  }
}
