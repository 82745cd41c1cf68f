/** [LOG-14] The row in the person's feed shows the conversation as it is. */
import { feedKey } from "@parlor/protocol"
import type { MakeCheck } from "../check.ts"

export const feedRow: MakeCheck = (it, wrong) => {
  const key = feedKey(it.address)
  return {
    folded({ entries }) {
      const now = it.status
      if (now === undefined || entries.length === 0) return
      const row = it.feed.rows.conversations.get(key)
      const shown = [row?.state, row?.held, row?.queued, row?.asks, row?.title]
      const real = [now.state, now.held !== null, it.rows.queue.size, it.openAsks, now.title]
      if (shown.some((value, index) => value !== real[index]))
        wrong("LOG-14", `${entries.at(-1)?.stored.seq}: the feed shows ${shown.join(" ")}, it is ${real.join(" ")}`)
    },
  }
}
