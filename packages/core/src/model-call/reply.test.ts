import {
  type ChangeEvent,
  emptyRows,
  fold,
  type MessageId,
  type NewChange,
  type TurnId,
  withDeltas,
} from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Reply } from "./reply.ts"

function setUp() {
  const written: NewChange[] = []
  const waiting: (() => void)[] = []
  const reply = new Reply({
    id: "msg_1" as MessageId,
    ord: 1,
    turn: "trn_1" as TurnId,
    author: "critic",
    at: 0,
    write: (changes) =>
      new Promise((resolve) => {
        waiting.push(() => {
          written.push(...changes)
          resolve()
        })
      }),
    onFailure: (error) => {
      throw error
    },
  })
  const commit = async () => {
    waiting.shift()?.()
    for (let i = 0; i < 5; i++) await Promise.resolve()
  }
  const sealed = async (state: "done" | "truncated") => {
    const sealing = reply.seal(state)
    while (waiting.length > 0) await commit()
    return [...written, ...(await sealing)]
  }
  return { reply, written, waiting, commit, sealed }
}

const event = (change: NewChange): ChangeEvent =>
  ({
    type: change.collection,
    key: change.key,
    value: change.row,
    headers: { operation: change.operation },
  }) as ChangeEvent

describe("a reply", () => {
  it("[LOG-10] joins waiting text into one delta and ends as one full row", async () => {
    const { reply, waiting, commit, sealed } = setUp()
    reply.text("text", "one ")
    await Promise.resolve()
    expect(waiting).toHaveLength(1)
    for (const word of ["two ", "three ", "four"]) reply.text("text", word)
    await Promise.resolve()
    expect(waiting).toHaveLength(1)
    await commit()
    const changes = await sealed("done")
    const deltas = changes.flatMap((change) => (change.collection === "deltas" ? [change.row.text] : []))
    expect(deltas).toEqual(["one ", "two three four"])
    const rows = fold(emptyRows(), changes.map(event))
    expect(rows.deltas.size).toBe(0)
    expect(rows.messages.get("msg_1")?.parts).toEqual([{ type: "text", text: "one two three four" }])
  })

  it("[LOG-8] text still streaming is the joined deltas, and equals the full row in the end", async () => {
    const chunks = fc.array(
      fc.tuple(fc.constantFrom("text", "reasoning" as const), fc.string({ unit: "binary", minLength: 1 })),
      {
        minLength: 1,
        maxLength: 30,
      },
    )
    await fc.assert(
      fc.asyncProperty(chunks, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), async (parts, commits) => {
        const { reply, commit, sealed } = setUp()
        for (const [index, [kind, text]] of parts.entries()) {
          reply.text(kind as "text" | "reasoning", text)
          if (commits[index]) await commit()
        }
        const changes = await sealed("done")
        const last = changes.at(-1)
        if (last?.collection !== "messages") throw new Error("the full row comes last")
        if (last.operation === "insert") {
          expect(changes).toHaveLength(1)
          return
        }
        const streaming = fold(emptyRows(), changes.slice(0, -1).map(event))
        const message = streaming.messages.get("msg_1")
        const shown = message && withDeltas(message, streaming.deltas.values())
        expect(shown?.parts ?? []).toEqual(last.row.parts)
      }),
    )
  })

  it("[LOG-11] the last text is written together with its end", async () => {
    const { reply, waiting, sealed } = setUp()
    reply.text("text", "all of it")
    reply.complete()
    await Promise.resolve()
    expect(waiting).toHaveLength(0)
    const changes = await sealed("done")
    expect(changes.map(({ collection, operation }) => `${operation} ${collection}`)).toEqual(["insert messages"])
    expect(changes[0]?.row).toMatchObject({ state: "done", parts: [{ type: "text", text: "all of it" }] })
  })

  it("[SEC-5] a split surrogate pair arrives whole; a lone half and a NUL are dropped", async () => {
    const { reply, sealed } = setUp()
    for (const piece of ["a\ud83d", "\ude00b", "\udc00", "c\u0000d"]) reply.text("text", piece)
    await sealed("done")
    expect(reply.parts).toEqual([{ type: "text", text: "a😀b\ufffdc\ufffdd" }])
  })

  it("[GST-4] a tag the model copied is not stored, wherever it was split; text that only starts like one is kept", async () => {
    const said = 'Yes. <from agent="crab">I agree.</from> if a <b then <fro'
    for (let place = 0; place <= said.length; place++) {
      const { reply, sealed } = setUp()
      for (const piece of [said.slice(0, place), said.slice(place)]) reply.text("text", piece)
      const changes = await sealed("done")
      const deltas = changes.flatMap((change) => (change.collection === "deltas" ? [change.row.text] : []))
      const stored = "Yes. I agree. if a <b then <fro"
      if (changes.length > 1) expect(deltas.join("")).toBe(stored)
      expect(changes.at(-1)?.row).toMatchObject({ author: "critic", parts: [{ type: "text", text: stored }] })
    }
  })

  it("[GST-4] held-back text keeps its place before reasoning and tools", async () => {
    const { reply, sealed } = setUp()
    reply.text("text", "a <")
    reply.text("reasoning", "hm")
    reply.text("text", "b <from")
    await sealed("truncated")
    expect(reply.parts).toEqual([
      { type: "text", text: "a <" },
      { type: "reasoning", text: "hm" },
      { type: "text", text: "b <from" },
    ])
  })

  it("[TRN-5] accepts nothing more once it is sealed", async () => {
    const { reply, sealed } = setUp()
    reply.text("text", "said")
    const changes = await sealed("truncated")
    reply.text("text", " too late")
    expect(reply.parts).toEqual([{ type: "text", text: "said" }])
    expect(changes.at(-1)?.row).toMatchObject({ state: "truncated" })
  })

  it("[TRN-5] when aborted, a started call is unknown and a pending one is removed, even when nothing is left", async () => {
    const call = (id: string, state: "waiting" | "started" | "done") =>
      ({ type: "tool", call: id, name: "pay", input: {}, state, output: null, error: null }) as const
    const { reply, sealed } = setUp()
    for (const state of ["done", "started", "waiting"] as const) reply.tool(call(state, state))
    const changes = await sealed("truncated")
    expect(changes.at(-1)?.row).toMatchObject({ state: "truncated", parts: [{ state: "done" }, { state: "unknown" }] })

    const other = setUp()
    other.reply.tool(call("a", "waiting"))
    const saving = other.reply.save()
    await Promise.resolve()
    await other.commit()
    await saving
    expect((await other.sealed("truncated")).at(-1)?.row).toMatchObject({ state: "truncated", parts: [] })
  })
})
