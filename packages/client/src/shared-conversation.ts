import type { AnswerOf, SharedConversation as Shared, SharedPage } from "@parlor/protocol"
import { type FollowOptions, type News, type OpenStream, readStream } from "./follow.ts"
import type { Http } from "./http.ts"

/** A conversation that somebody shares: it can only be read. */
export class SharedConversation {
  readonly #http: Http
  readonly #share: string

  constructor(http: Http, share: string) {
    this.#http = http
    this.#share = share
  }

  open(options: { readonly messages?: number } = {}): Promise<Shared> {
    return this.#http.ask("openShared", { params: { share: this.#share }, query: { messages: options.messages } })
  }

  /** Older messages, newest first. */
  messages(page: { readonly before?: string; readonly limit?: number } = {}): Promise<SharedPage> {
    return this.#http.ask("listSharedMessages", { params: { share: this.#share }, query: page })
  }

  /** Its current rows, then every change of a live one. Each connection begins with the rows again (SHR-5). */
  rows(options: Omit<FollowOptions, "offset"> = {}): AsyncGenerator<News> {
    const open: OpenStream = ({ query, ...request }) =>
      this.#http.open("followShared", {
        params: { share: this.#share },
        query: { offset: query?.offset, live: query?.live, cursor: query?.cursor },
        ...request,
      })
    return readStream(this.#http.timing, { open, rows: true, partial: true }, options)
  }

  async attachment(message: string, hash: string): Promise<Blob> {
    const params = { share: this.#share, message, hash }
    return (await this.#http.open("readSharedAttachment", { params })).blob()
  }

  async files(): Promise<AnswerOf<"listSharedFiles">["files"]> {
    return (await this.#http.ask("listSharedFiles", { params: { share: this.#share } })).files
  }

  async file(path: string): Promise<Blob> {
    return (await this.#http.open("readSharedFile", { params: { share: this.#share, path } })).blob()
  }
}
