import { START_OFFSET } from "@parlor/protocol"
import { Following, type FollowOptions, type News, readStream } from "./follow.ts"
import type { Http } from "./http.ts"
import { LiveFeed } from "./live/feed.ts"

const path = "/v1/feed"

/** One stream with a row per conversation of the caller (LOG-14). */
export class Feed {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** The feed's log from `offset` on. */
  follow(options: FollowOptions = {}): Following {
    return new Following(readStream(this.#http, { path }, options), options.offset ?? START_OFFSET)
  }

  /** The rows as they are now, then every change to them. */
  rows(options: Omit<FollowOptions, "offset"> = {}): AsyncGenerator<News> {
    return readStream(this.#http, { path, rows: true }, options)
  }

  /** A store for a user interface. It works until closed. */
  live(): LiveFeed {
    return new LiveFeed((options) => this.rows(options))
  }
}
