import type { MessageRow } from "@parlor/protocol"
import { limits } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { carriesData, loadAttached, pickAttached, withoutData } from "./attached.ts"

const hash = (n: number) => n.toString(16).padStart(64, "0")
const MB = 1024 * 1024

type Given = { readonly n: number; readonly mediaType: string; readonly bytes: number }
const message = (files: readonly Given[], more: Partial<MessageRow> = {}): MessageRow =>
  ({
    role: "person",
    state: "done",
    dimmed: false,
    parts: files.map(({ n, ...file }) => ({ type: "attachment", hash: hash(n), name: `${n}`, ...file })),
    ...more,
  }) as unknown as MessageRow
const image = (n: number, bytes: number): Given => ({ n, mediaType: "image/png", bytes })
const note = (n: number, bytes: number): Given => ({ n, mediaType: "text/plain", bytes })
const picked = (messages: readonly MessageRow[], window = 1_000_000) =>
  pickAttached(messages, window).map(({ part, most }) => [Number.parseInt(part.hash, 16), most])

function blobs(given: readonly Given[]) {
  const loads: string[] = []
  return {
    loads,
    attachment: async (person: string, wanted: string) => {
      const found = given.find(({ n }) => hash(n) === wanted)
      return person === "ana" && found ? { hash: wanted, name: "x", at: 0, ...found } : undefined
    },
    get: async (wanted: string) => {
      loads.push(wanted)
      const found = given.find(({ n }) => hash(n) === wanted)
      return found && new TextEncoder().encode("é".repeat(found.bytes / 2))
    },
  }
}

describe("[CMP-15] which contents a request carries", () => {
  it("the newest that fit; an older one that fits is included even after one that does not", () => {
    const messages = [
      message([image(1, 6 * MB), image(2, MB)]),
      message([image(3, 8 * MB)]),
      message([image(4, 8 * MB)]),
    ]
    expect(picked(messages)).toEqual([
      [4, 8 * MB],
      [3, 8 * MB],
      [2, MB],
    ])
    expect(picked(messages).reduce((sum, [, bytes = 0]) => sum + bytes, 0)).toBeLessThanOrEqual(limits.attachmentBytes)
  })

  it("each content once, and nothing that is dimmed, failed or not from a person", () => {
    const one = image(1, 10)
    expect(picked([message([one]), message([one, one])])).toEqual([[1, 10]])
    for (const more of [{ dimmed: true }, { state: "failed" }, { role: "agent" }] as Partial<MessageRow>[])
      expect(picked([message([one], more)])).toEqual([])
  })

  it("text gets a share of the window, and is cut to what is left of it", () => {
    const messages = [message([note(1, 40_000), note(2, 4_000)]), message([note(3, 50_000)])]
    expect(picked(messages, 80_000)).toEqual([
      [3, 50_000],
      [1, 10_000],
    ])
    expect(picked([message([note(1, 5 * MB)])])).toEqual([[1, 256 * 1024]])
  })

  it("is loaded once per turn, and cut between characters", async () => {
    const given = [note(1, 9_000), image(2, 10)]
    const store = blobs(given)
    const options = { window: 4_001, shelf: new Map() }
    const first = await loadAttached(store, "ana", [message(given)], options)
    const second = await loadAttached(store, "ana", [message(given)], options)
    expect(store.loads.length).toBe(2)
    expect(second).toEqual(first)
    expect(first.get(hash(1))).toEqual({
      kind: "text",
      text: `${"é".repeat(1_500)}\n[cut off: 3000 of 9000 bytes]`,
      bytes: 3_000,
    })
    expect(first.get(hash(2))).toMatchObject({ kind: "data" })
  })

  it("[SEC-1] a hash in a row is not enough: the person must have attached that content", async () => {
    const given = [image(1, 10)]
    const load = (person: string, rows: readonly Given[]) =>
      loadAttached(blobs(given), person, [message(rows)], { window: 1_000, shelf: new Map() })
    expect((await load("ana", given)).size).toBe(1)
    expect((await load("bob", given)).size).toBe(0)
    expect((await load("ana", [{ ...image(1, 10), mediaType: "image/gif" }])).size).toBe(0)
    expect((await load("ana", [image(1, 4)])).size).toBe(0)
    expect((await load("ana", [image(9, 10)])).size).toBe(0)
  })

  it("without the data that a model rejected, only text is left", async () => {
    const given = [note(1, 10), image(2, 10)]
    const attached = await loadAttached(blobs(given), "ana", [message(given)], { window: 1_000, shelf: new Map() })
    expect(carriesData(attached)).toBe(true)
    const left = withoutData(attached)
    expect(carriesData(left)).toBe(false)
    expect([...left.values()].map(({ kind }) => kind)).toEqual(["text", "refused"])
  })
})
