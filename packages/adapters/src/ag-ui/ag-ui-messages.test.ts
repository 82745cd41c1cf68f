import type { AgUiInput, Part } from "@parlor/protocol"
import { messageOf, messageWith } from "@parlor/protocol/testing"
import { describe, expect, it } from "vitest"
import { readAgUiInput } from "./ag-ui-input.ts"
import { agUiMessages } from "./ag-ui-messages.ts"

const file = (name: string, mediaType: string): Part => ({ type: "attachment", hash: name, name, mediaType, bytes: 1 })
const person = (parts: readonly Part[]) => messageWith({ role: "person", parts: [...parts] })
const source = (value: string, mimeType: string) => ({ type: "url", value: `/v1/attachments/${value}`, mimeType })

describe("a snapshot of messages", () => {
  it("[API-37] has the text of a message, or its parts if it has files", () => {
    const text = { type: "text", text: "Look" } as const
    expect(agUiMessages([person([text, { type: "text", text: "!" }])])).toMatchObject([
      { role: "user", content: "Look!" },
    ])
    const files = [file("a", "image/png"), file("b", "audio/mpeg"), file("c", "application/pdf")]
    expect(agUiMessages([person([text, ...files])])).toMatchObject([
      {
        content: [
          text,
          { type: "image", source: source("a", "image/png") },
          { type: "audio", source: source("b", "audio/mpeg") },
          { type: "document", source: source("c", "application/pdf") },
        ],
      },
    ])
  })

  it("[API-37] has names only for guests, and calls only where there are some", () => {
    const own = messageOf("m1", 1, "Hello.")
    expect(agUiMessages([own])).toEqual([{ id: "m1", role: "assistant", content: "Hello." }])
    const guest = { ...own, author: "critic" }
    expect(agUiMessages([guest])).toEqual([{ id: "m1", role: "assistant", name: "critic", content: "Hello." }])
  })

  it("[API-37] has neither messages that were rolled back nor attempts that were repeated", () => {
    const failed = messageOf("m1", 1, "Hel", { state: "failed" })
    expect(agUiMessages([failed, messageOf("m2", 2, "Hello.")]).map(({ id }) => id)).toEqual(["m2"])
    expect(agUiMessages([failed]).map(({ id }) => id)).toEqual(["m1"])
    expect(agUiMessages([{ ...failed, dimmed: true }])).toEqual([])
  })
})

describe("a run's input", () => {
  const read = (change: Partial<AgUiInput>) =>
    readAgUiInput({ threadId: "t", runId: "r", messages: [], ...change } as AgUiInput)
  const user = (content: unknown) => ({ id: "u", role: "user", content }) as AgUiInput["messages"][number]

  it("[API-39] without anything to send is refused, with a pointer to the last message", () => {
    const empty = { code: "request.invalid", pointer: "/messages/1/content" }
    expect(() => read({ messages: [user("a"), user(" \n")] })).toThrow(expect.objectContaining(empty))
    expect(() => read({ messages: [] })).toThrow(expect.objectContaining({ pointer: "/messages" }))
  })

  it("[API-35] a file alone is enough; an empty list of answers is none", () => {
    const part = { type: "image", source: { type: "data", value: "AA==", mimeType: "image/png" } }
    expect(read({ messages: [user([part])], resume: [] })).toMatchObject({
      kind: "send",
      text: "",
      files: [{ name: "image", mediaType: "image/png", url: "data:image/png;base64,AA==" }],
    })
  })
})
