import { type LiveConversation, ParlorError } from "@parlor/client"
import type { ComposerInput, SendBody } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { bodyOf, inputOfSend, sendOnce } from "./sendOnce.ts"

const known = { mode: "immediate", commands: ["help"], agents: ["critic"] } as const
const chip: ComposerInput = {
  source: "see @file:critic",
  nodes: [{ kind: "file", path: "critic", start: 4, end: 16, raw: "@file:critic" }],
}

/** The part of a live conversation that sends, and what it was given. */
function sender(outcome: () => Promise<unknown>) {
  const given: { body: SendBody; key: string | undefined; editedFrom: string | undefined }[] = []
  const dismissed: string[] = []
  const live = {
    send: (body: SendBody, { key, editedFrom }: { key?: string; editedFrom?: string }) => {
      given.push({ body, key, editedFrom })
      return outcome()
    },
    dismissSend: (key: string) => void dismissed.push(key),
  }
  return { live: live as unknown as LiveConversation, given, dismissed }
}

describe("sending what is in the box", () => {
  it("[CMP-2, CMP-5] plain text goes as text; references and chips go as nodes", async () => {
    const { live, given } = sender(async () => ({}))
    await sendOnce(live, { source: "hello" }, known)
    await sendOnce(live, { source: "/help @critic" }, { ...known, mode: "steer", editedFrom: "msg_1" })
    await sendOnce(live, chip, known)
    expect(given.map(({ body }) => body)).toMatchObject([
      { text: "hello", mode: "immediate" },
      { type: "composer_input", mode: "steer", payload: { nodes: [{ kind: "slash_command" }, { kind: "mention" }] } },
      { type: "composer_input", payload: chip },
    ])
    expect(given[1]?.editedFrom).toBe("msg_1")
    expect(new Set(given.map(({ key }) => key)).size).toBe(3)
  })

  it("[TAB-10] what is refused leaves the outbox, because its words are back in the box", async () => {
    const refusal = new ParlorError("queue.full", "Full.", { status: 429 })
    const { live, given, dismissed } = sender(() => Promise.reject(refusal))
    await expect(sendOnce(live, { source: "hello" }, known)).rejects.toBe(refusal)
    expect(dismissed).toEqual([given[0]?.key])
  })

  it("[TAB-10] what a send says can be put back into the box", () => {
    expect(inputOfSend(bodyOf(chip))).toEqual(chip)
    expect(inputOfSend(bodyOf({ source: "hello" }))).toEqual({ source: "hello" })
    expect(inputOfSend({ type: "deploy.request", payload: {} })).toEqual({ source: "" })
  })
})
