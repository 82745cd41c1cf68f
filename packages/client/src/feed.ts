import { START_OFFSET } from "@parlor/protocol"
import { Following, type FollowOptions, type News, type OpenStream, readStream } from "./follow.ts"
import type { Http } from "./http.ts"
import { LiveFeed } from "./live/feed.ts"
import type { Timing } from "./timing.ts"

/** One stream with a row per conversation of the caller (LOG-14). */
export class Feed {
  readonly #timing: Timing
  readonly #open: OpenStream

  constructor(http: Http) {
    this.#timing = http.timing
    this.#open = (request) => http.open("followFeed", request)
  }

  /** The feed's log from `offset` on. */
  follow(options: FollowOptions = {}): Following {
    return new Following(readStream(this.#timing, { open: this.#open }, options), options.offset ?? START_OFFSET)
  }

  /** The rows as they are now, then every change to them. */
  rows(options: Omit<FollowOptions, "offset"> = {}): AsyncGenerator<News> {
    return readStream(this.#timing, { open: this.#open, rows: true }, options)
  }

  /** A store for a user interface. It works until closed. */
  live(): LiveFeed {
    return new LiveFeed((options) => this.rows(options))
  }
}
