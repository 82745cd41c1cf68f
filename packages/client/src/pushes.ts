import type { AnswerOf, BodyInputOf, PushView } from "@parlor/protocol"
import type { Http } from "./http.ts"

/** Notifications to a person's browsers while no window is open. */
export class Pushes {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** The key to subscribe with, and the subscribed browsers. */
  read(): Promise<AnswerOf<"readPush">> {
    return this.#http.ask("readPush")
  }

  subscribe(body: BodyInputOf<"subscribePush">): Promise<PushView> {
    return this.#http.ask("subscribePush", { body })
  }

  unsubscribe(id: string): Promise<AnswerOf<"unsubscribePush">> {
    return this.#http.ask("unsubscribePush", { params: { id } })
  }

  /** Sends a test notification and returns the result. */
  test(id: string): Promise<AnswerOf<"testPush">> {
    return this.#http.ask("testPush", { params: { id } })
  }
}
