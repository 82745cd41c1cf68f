import type { QueueRow } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { composed, recomposed } from "./compose.ts"

const known = { commands: ["review"], agents: ["critic"] }
const hash = "a".repeat(64)
const row = (type: string, payload: unknown) => ({ type, payload }) as QueueRow

describe("[CMP-5] what is typed", () => {
  it("is sent as plain text when it refers to nothing", () => {
    expect(composed("hello", known)).toEqual({ text: "hello" })
  })

  it("is sent with its references, and what goes along at its end", () => {
    const text = "/review @critic 👍"
    expect(composed(text, { ...known, attachments: [{ hash }] })).toEqual({
      type: "composer_input",
      payload: {
        source: text,
        nodes: [
          { kind: "slash_command", start: 0, end: 7, raw: "/review", name: "review" },
          { kind: "mention", start: 8, end: 15, raw: "@critic", name: "critic" },
          { kind: "attachment", start: 18, end: 18, raw: "", hash },
        ],
      },
    })
    expect(composed("", { attachments: [{ hash }] })).toMatchObject({
      payload: { source: "", nodes: [{ start: 0, hash }] },
    })
  })

  it("takes the place of a waiting message and leaves what is attached to it", () => {
    const attachment = { kind: "attachment", start: 3, end: 3, raw: "", hash, note: 1 }
    const mention = { kind: "mention", start: 0, end: 3, raw: "old", name: "critic" }
    const waiting = row("composer_input", { source: "old", nodes: [mention, attachment] })
    expect(recomposed(waiting, "newer", known)).toEqual({
      payload: { source: "newer", nodes: [{ ...attachment, start: 5, end: 5 }] },
    })
    expect(recomposed(row("composer_input", { source: "old" }), "new", known)).toEqual({ payload: { source: "new" } })
    expect(recomposed(row("rpc", {}), "new", known)).toEqual({ text: "new" })
  })
})
