import { describe, expect, it } from "vitest"
import { openaiError, openaiStatus } from "./openai-error.ts"
import { saidInItems, saidInMessages } from "./said.ts"
import { isTaskPrompt } from "./task-prompt.ts"

const user = (content: string) => ({ role: "user", content }) as const
const says = (text: string) => saidInMessages([user(text)])
const HASH = "0".repeat(64)

describe("what a client sends", () => {
  it("[API-9] the last message is new; instructions and tools of other models are left out", () => {
    const said = saidInMessages([
      { role: "system", content: "Be brief." },
      user("A"),
      { role: "assistant", content: null, tool_calls: [{ id: "c" }] },
      { role: "tool", tool_call_id: "c", content: "42" },
      { role: "assistant", content: [{ type: "text", text: "It is 42." }] },
      user("B"),
    ])
    expect(said.history.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      "user: A",
      "assistant: ",
      "assistant: It is 42.",
    ])
    expect(said.message).toEqual({ role: "user", text: "B", files: [] })
  })

  it("[API-9] items of earlier responses are left out, and messages at the end are one", () => {
    const said = saidInItems([
      { type: "message", role: "user", content: "A" },
      { type: "reasoning" },
      { type: "mcp_call" },
      { type: "function_call", call_id: "c" },
      { type: "function_call_output", call_id: "c" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "One." }] },
      { role: "user", content: "B" },
      {
        role: "user",
        content: [
          { type: "input_text", text: "C" },
          { type: "input_image", file_id: HASH },
        ],
      },
    ])
    expect(said.history.map(({ text }) => text)).toEqual(["A", "One."])
    expect(said.message.text).toBe("B\n\nC")
    expect(said.message.files).toEqual([{ mediaType: "", name: "image", url: `/v1/attachments/${HASH}` }])
    expect(saidInItems("Hi").message.text).toBe("Hi")
  })

  it("[API-6] files are data: URLs or attachments", () => {
    const file = { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" }
    const parts = [
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      { type: "file", file },
      { type: "input_file", ...file },
      { type: "input_image", image_url: `/v1/attachments/${HASH}` },
    ]
    const { files } = saidInMessages([{ role: "user", content: parts }]).message
    expect(files.map(({ mediaType, name }) => [mediaType, name])).toEqual([
      ["image/png", "image"],
      ["application/pdf", "a.pdf"],
      ["application/pdf", "a.pdf"],
      ["", "image"],
    ])
    for (const url of ["https://example.com/a.png", "data:", "data:,x", "file:///etc/passwd", 7, null])
      expect(() => saidInMessages([{ role: "user", content: [{ type: "image_url", image_url: url }] }])).toThrow(
        "data:",
      )
    expect(() => saidInMessages([{ role: "user", content: [{ type: "file", file: { file_id: "file-1" } }] }])).toThrow(
      "hash of an attachment",
    )
  })

  it("[API-14] a tool result that belongs to no call is refused", () => {
    const result = { role: "tool", tool_call_id: "c", content: "42" } as const
    const call = { role: "assistant" as const, tool_calls: [{ id: "c" }] }
    expect(() => saidInMessages([result, user("A")])).toThrow("not called")
    expect(() => saidInMessages([user("A"), call, result])).toThrow("not called")
    expect(() => saidInItems([{ type: "function_call_output", call_id: "c" }])).toThrow("not called")
    expect(saidInMessages([user("A"), call, result, user("B")]).message.text).toBe("B")
  })

  it("[API-13] prompts that clients send on their own are recognized, and nothing else", () => {
    const tasks = [
      "### Task:\nGenerate 1-3 tags.\n### Chat History:\n<chat_history>\n</chat_history>",
      "### Task:\nYou are an autocompletion system. Continue the text.",
      "Provide a concise, 5-word-or-less title for the conversation, using title case conventions.",
      "Analyze this conversation and provide:\n1. The detected language of the conversation",
    ]
    for (const task of tasks) expect(isTaskPrompt(says(task)), task).toBe(true)
    for (const text of ["### Task:\nUse the context.\n<context></context>", "Provide a title", "### Task: clean up"])
      expect(isTaskPrompt(says(text)), text).toBe(false)
    expect(isTaskPrompt(saidInMessages([user("A"), user(tasks[0] ?? "")]))).toBe(false)
  })

  it("[API-14] errors have OpenAI's form", () => {
    const problem = { type: "", title: "", status: 422, code: "request.invalid", detail: "No.", pointer: "/a/0/b" }
    expect(openaiError(problem)).toEqual({
      error: { message: "No.", type: "invalid_request_error", param: "a[0].b", code: "request.invalid" },
    })
    const types = [401, 403, 404, 424, 429, 503].map((status) => openaiError({ ...problem, status }).error.type)
    expect(types).toEqual([
      ...["authentication_error", "permission_error", "not_found_error", "server_error"],
      ...["rate_limit_error", "server_error"],
    ])
    expect([openaiStatus(422), openaiStatus(404)]).toEqual([400, 404])
  })
})

describe("items that only some clients send", () => {
  it("[API-9] lists of tools are left out, approvals are answered in text, and others are refused", () => {
    const hello = { type: "message", role: "user", content: "Hi" } as const
    expect(saidInItems([{ type: "mcp_list_tools" }, { type: "mcp_call" }, hello]).history).toEqual([])
    expect(() => saidInItems([{ type: "mcp_approval_response" }, hello])).toThrow(/yes or no/)
    expect(() => saidInItems([{ type: "computer_call" }, hello])).toThrow(/not supported/)
  })

  it("[API-9] a refusal in the history is its text", () => {
    const refusal = (value: unknown) => ({ role: "assistant", content: [{ type: "refusal", refusal: value }] }) as const
    const texts = (value: unknown) =>
      saidInMessages([user("A"), refusal(value) as never, user("B")]).history.at(-1)?.text
    expect([texts("No."), texts(7)]).toEqual(["No.", ""])
  })
})
