import type { AnswerOf, BodyInputOf, SharedView, ShareView } from "@parlor/protocol"
import type { Http } from "./http.ts"
import { SharedConversation } from "./shared-conversation.ts"

export type ShareOptions = BodyInputOf<"makeShare">

/** What this person shares, and what others share with them (SHR-1). */
export class Shares {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Newest first: of one conversation, or all. */
  async list(of: { readonly agent?: string; readonly branch?: string } = {}): Promise<readonly ShareView[]> {
    return (await this.#http.ask("listShares", { query: of })).shares
  }

  /** Shares a conversation, read only. The path of a link contains its secret, and is not shown again. */
  make(agent: string, branch: string, options: ShareOptions = {}): Promise<AnswerOf<"makeShare">> {
    return this.#http.ask("makeShare", { params: { agent, branch }, body: options, repeating: "if-undone" })
  }

  async revoke(share: string): Promise<void> {
    await this.#http.ask("revokeShare", { params: { share } })
  }

  /** What others share with this person, newest first. */
  async withMe(): Promise<readonly SharedView[]> {
    return (await this.#http.ask("listShared")).shared
  }

  /** Read only. With a link, its secret is the token of the `Parlor`. */
  open(share: string): SharedConversation {
    return new SharedConversation(this.#http, share)
  }
}
