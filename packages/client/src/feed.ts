import { START_OFFSET } from "@parlor/protocol"
import { Following, type FollowOptions, type News, type OpenStream, readStream } from "./follow.ts"
import type { Http } from "./http.ts"
import { LiveFeed } from "./live/feed.ts"
import type { StreamSlots } from "./slots.ts"
import type { Timing } from "./timing.ts"

/** The stream of the caller's conversations, with one row for each (LOG-14). */
export class Feed {
  readonly #timing: Timing
  readonly #source: { readonly open: OpenStream; readonly slots: StreamSlots | undefined }

  constructor(http: Http) {
    this.#timing = http.timing
    this.#source = { open: (request) => http.open("followFeed", request), slots: http.slots }
  }

  /** The feed's log from `offset` on. */
  follow(options: FollowOptions = {}): Following {
    return new Following(readStream(this.#timing, this.#source, options), options.offset ?? START_OFFSET)
  }

  /** The current rows, then every change to them. */
  rows(options: Omit<FollowOptions, "offset"> = {}): AsyncGenerator<News> {
    return readStream(this.#timing, { ...this.#source, rows: true }, options)
  }

  /** A store for a user interface. It stays current until it is closed. */
  live(): LiveFeed {
    return new LiveFeed((options) => this.rows(options))
  }
}
