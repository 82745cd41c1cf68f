/** Reads every row of a conversation directly from a store that no server has open, as readers of its log see it. */
import type { Store } from "@parlor/core"
import { type Collection, collections, parseRow } from "@parlor/protocol"
import type { KeptRow } from "./check-rows.ts"
import type { Conversation } from "./wire.ts"

/** Whoever holds the local token. */
const PERSON = "me"

export async function storeRows(open: () => Promise<Store>, conversation: Conversation): Promise<KeptRow[]> {
  const [agent = "", branch = ""] = conversation.split("/")
  const store = await open()
  try {
    const stream = await store.log.find({ kind: "conversation", agent, person: PERSON, branch })
    if (stream === undefined) throw new Error(`the store has no ${conversation}`)
    const names = (Object.keys(collections) as Collection[]).filter((name) => name !== "conversations")
    const read = await store.log.read(
      stream.id,
      names.map((collection) => ({ collection })),
    )
    return (read?.lists ?? []).flat().map(({ collection, key, value }) => {
      const row = parseRow(collection as Collection, value)
      return { collection, key, value: collection === "turns" ? { ...row, step: null } : row }
    })
  } finally {
    await store.close()
  }
}
