import type { UiRequest } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { readUiRequest } from "./ui-request.ts"

const user = (parts: readonly object[], id = "u") => ({ id, role: "user", parts })
const text = (words: string) => ({ type: "text", text: words })
const request = (messages: readonly object[], fields: object = {}): UiRequest =>
  ({ id: "main", trigger: "submit-message", messages, ...fields }) as unknown as UiRequest
const refused = (messages: readonly object[]) => {
  try {
    return readUiRequest(request(messages))
  } catch (error) {
    return error
  }
}

describe("what a chat posts", () => {
  it("[API-1] is its last message, with its texts joined and its files", () => {
    const url = "/v1/attachments/h"
    const files = [
      { type: "file", mediaType: "image/png", filename: "a.png", url },
      { type: "file", mediaType: "text/plain", url: "data:,x" },
    ]
    const parts = [text("Good "), { type: "step-start" }, text("morning"), { type: "text", text: 7 }, ...files]
    expect(readUiRequest(request([user([text("before")]), user(parts)]))).toEqual({
      kind: "send",
      id: "u",
      text: "Good morning",
      files: [
        { mediaType: "image/png", name: "a.png", url },
        { mediaType: "text/plain", name: "attachment", url: "data:,x" },
      ],
      replaces: false,
    })
  })

  it("replaces a message when it names its own, and regenerates the answer to one", () => {
    const messages = [user([text("Hi")])]
    expect(readUiRequest(request(messages, { messageId: "u" }))).toMatchObject({ kind: "send", replaces: true })
    expect(readUiRequest(request(messages, { messageId: "other" }))).toMatchObject({ replaces: false })
    expect(readUiRequest(request(messages, { trigger: "regenerate-message" }))).toEqual({ kind: "regenerate", id: "u" })
  })

  it("a file alone will do; neither text nor files will not", () => {
    const file = { type: "file", mediaType: "text/plain", url: "data:,x" }
    expect(readUiRequest(request([user([text(" "), file])]))).toMatchObject({ kind: "send" })
    expect(refused([user([text(" \n")])])).toMatchObject({ code: "request.invalid", pointer: "/messages/0/parts" })
  })

  it.each([
    [{ type: "file", url: "data:,x" }, "/messages/1/parts/1"],
    [{ type: "file", mediaType: "text/plain", url: "https://example.com/x" }, "/messages/1/parts/1/url"],
  ])("the file %j is refused where it is", (file, pointer) => {
    expect(refused([user([]), user([text("Hi"), file])])).toMatchObject({ code: "request.invalid", pointer })
  })

  it("answers approvals with the assistant's last message", () => {
    const parts = [
      { type: "dynamic-tool", state: "approval-responded", approval: { id: "a", approved: true } },
      { type: "dynamic-tool", state: "approval-responded", approval: { id: "b", approved: false } },
      { type: "dynamic-tool", state: "approval-requested", approval: { id: "c", approved: true } },
      { type: "dynamic-tool", state: "approval-responded", approval: { id: 1 } },
    ]
    expect(readUiRequest(request([{ id: "t", role: "assistant", parts }]))).toEqual({
      kind: "answer",
      answers: [
        { ask: "a", approved: true },
        { ask: "b", approved: false },
      ],
    })
  })

  it.each([
    [[{ id: "t", role: "assistant", parts: [text("Hi")] }]],
    [[{ id: "s", role: "system", parts: [text("Hi")] }]],
    [[]],
  ])("%j is refused", (messages) => {
    expect(refused(messages)).toMatchObject({ code: "request.invalid", pointer: `/messages/${messages.length - 1}` })
  })
})
