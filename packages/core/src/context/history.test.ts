import type { ArchiveRow, MessageId, MessageRow, NewChange, StreamId, TxId } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { apply } from "../log/apply.ts"
import { ConversationCache } from "../log/cache.ts"
import { rowChange } from "../log/row-change.ts"
import { type ConversationState, newStatus, statusChange } from "../log/state.ts"
import { FakeClock, MemoryStore } from "../testing/index.ts"
import { personMessage } from "../turn/turn.ts"
import { cachedHistory, readHistory } from "./history.ts"

const address = { agent: "host", person: "me", branch: "main" }
const key = { kind: "conversation", ...address } as const

/** Windows that fit about one, four and twelve of these messages, and all of them. Most turns have the same window. */
const WINDOWS = [80, 400, 400, 400, 400, 400, 1_200, 100_000] as const

type Act =
  | {
      readonly verb: "say"
      readonly role: "person" | "agent"
      readonly state: "done" | "failed"
      readonly chars: number
    }
  | { readonly verb: "turn"; readonly window: (typeof WINDOWS)[number]; readonly maxMessages: number | undefined }
  /** Another process writes something. */
  | { readonly verb: "forget" }

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        verb: fc.constant("say" as const),
        role: fc.constantFrom("person", "agent", "agent"),
        state: fc.constantFrom("done", "done", "done", "failed"),
        chars: fc.nat(900),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        verb: fc.constant("turn" as const),
        window: fc.constantFrom(...WINDOWS),
        maxMessages: fc.constantFrom(undefined, undefined, 3, 10),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ verb: "forget" as const }) },
  ),
  { minLength: 20, maxLength: 80 },
)

function message(ord: number, { role, state, chars }: Extract<Act, { verb: "say" }>): MessageRow {
  const none = { guests: [], attachments: [], trigger: null, editedFrom: null }
  const row = { id: `msg_${ord}` as MessageId, type: "composer_input", payload: { source: "x".repeat(chars) }, ...none }
  return { ...personMessage(row, ord, null, 0), role, state }
}

async function openConversation() {
  const store = new MemoryStore(new FakeClock())
  const stream = await store.log.ensure(key)
  const cache = new ConversationCache()
  let lastOrd = 0
  const write = async (changes: readonly NewChange[]) => {
    const append = { stream: stream.id as StreamId, changes: changes.map(rowChange), txid: "tx" as TxId, at: 0 }
    const [appended] = await store.log.commit([append])
    if (!appended?.ok) throw new Error("not written")
    return { append, appended }
  }
  return {
    store,
    cache,
    stream: stream.id,
    write,
    async say(act: Extract<Act, { verb: "say" }>) {
      const before = await store.log.ensure(key)
      const row = message(lastOrd + 1, act)
      const empty = { queue: [], queued: 0, lastQueued: undefined, asks: [] }
      const read: ConversationState = { stream: before, address, status: newStatus(0), lastOrd, ...empty }
      const state = cache.state(stream.id) ?? read
      const changes: NewChange[] = [{ collection: "messages", key: row.id, operation: "insert", row }]
      const { append, appended } = await write(changes)
      const stores = cache.following(state, { after: apply(state, changes), changes, append })
      cache.forget(stream.id)
      stores(appended)
      lastOrd += 1
    },
  }
}

describe("the history of a turn", () => {
  it("is the same whether it is cached or read, for every window, and is cached after the first read", async () => {
    let cut = 0
    await fc.assert(
      fc.asyncProperty(acts, async (script) => {
        const { store, cache, stream, write, say } = await openConversation()
        for (const act of script) {
          if (act.verb === "say") await say(act)
          else if (act.verb === "forget") {
            await write([statusChange(newStatus(1))])
            cache.forget(stream)
          } else {
            const { messages, archive, isWhole, head, cacheable: toKeep } = await readHistory(store, stream, act)
            const ready = cachedHistory(cache.history(stream), act)
            if (ready === undefined) {
              if (toKeep === undefined) continue
              cache.keepHistory(stream, head, toKeep)
              if (cache.state(stream) === undefined) continue
            } else if (!cache.history(stream)?.isWhole) cut += 1
            expect(cachedHistory(cache.history(stream), act)).toEqual({ messages, archive, isWhole })
          }
        }
      }),
      { numRuns: 300 },
    )
    expect(cut).toBeGreaterThan(50)
  })

  it("[CPT-12] has no gap, and says whether it is complete", async () => {
    const { store, stream, say } = await openConversation()
    for (let turn = 0; turn < 10; turn++) await say(LONG)
    const read = async (window: number, maxMessages?: number) => {
      const { messages, isWhole } = await readHistory(store, stream, { window, maxMessages })
      return { ords: messages.map(({ ord }) => ord), isWhole }
    }
    expect(await read(200)).toEqual({ ords: [8, 9, 10], isWhole: false })
    expect((await read(2_000)).isWhole).toBe(true)
    expect(await read(2_000, 2)).toEqual({ ords: [9, 10], isWhole: false })
  })

  it("[BRA-1] [CPT-1] in a branch includes the summary made above it, even when its own messages fill the window", async () => {
    const { store, stream: parent } = await openConversation()
    const { id: branch } = await store.log.ensure({ ...key, branch: "aside" })
    const write = (stream: StreamId, changes: readonly NewChange[]) =>
      store.log.commit([{ stream, changes: changes.map(rowChange), txid: "tx" as TxId, at: 0 }])
    const said = (ord: number, role: MessageRow["role"]): NewChange => {
      const row = message(ord, { ...LONG, role })
      return { collection: "messages", key: row.id, operation: "insert", row }
    }
    const told = async (window: number) => {
      const { messages, archive } = await readHistory(store, branch, { window })
      return { ords: messages.map(({ ord }) => ord), summary: archive?.summary }
    }
    const archive = archiveOf(1, { began: 3 })
    const archived: NewChange = { collection: "archives", key: archive.id, operation: "insert", row: archive }
    await write(parent, [said(1, "person"), said(2, "person"), archived])
    const origin = { branch: "main", stream: parent, message: message(2, LONG).id, ord: 2, seq: 3, depth: 1 }
    await write(branch, [statusChange({ ...newStatus(0), origin }), said(3, "person"), said(4, "agent")])
    expect(await told(100_000), "all fit").toEqual({ ords: [2, 3, 4], summary: "before" })
    expect(await told(90), "its own messages fill the room").toEqual({ ords: [3, 4], summary: "before" })
    await write(branch, [said(5, "person")])
    expect(await told(60), "not even all of its own fit").toEqual({ ords: [5], summary: "before" })
  })
})

const LONG = { verb: "say", role: "person", state: "done", chars: 700 } as const

function archiveOf(toOrd: number, { began }: Pick<ArchiveRow, "began">): ArchiveRow {
  const to = message(toOrd, LONG).id
  const sizes = { tokensBefore: 1, tokensAfter: 1, archivedAt: 0, madeOrd: toOrd, began, ended: null }
  return { id: "arc_1", from: to, to, fromOrd: toOrd, toOrd, title: "Before", summary: "before", ...sizes }
}
