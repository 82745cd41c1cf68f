import type { AnswerOf } from "@parlor/protocol"
import type { Http } from "./http.ts"

/** Tools that the person always allows. One is added by answering an approval with `always` (ASK-4). */
export class Grants {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Newest first. */
  async list(): Promise<AnswerOf<"listGrants">["grants"]> {
    return (await this.#http.ask("listGrants", {})).grants
  }

  /** The agent asks again before it uses the tool. */
  async revoke(grant: string): Promise<void> {
    await this.#http.ask("revokeGrant", { params: { grant } })
  }
}
