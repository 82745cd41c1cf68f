/**
 * Parses the input of an OpenAI client into a list of messages: the end of it is the new message of the person, and
 * everything before it is history that the client resends.
 *
 * System and developer messages are ignored, because the agent on the server has its own instructions. So are tool calls
 * and their results in the history, which come from other models; a result without a call is refused.
 */
import { type OpenaiItem, type OpenaiMessage, Refusal } from "@parlor/protocol"

export type OpenaiFile = { readonly mediaType: string; readonly name: string; readonly url: string }
export type Said = { readonly role: "user" | "assistant"; readonly text: string; readonly files: readonly OpenaiFile[] }
export type SaidAll = { readonly history: readonly Said[]; readonly message: Said }

/** Of a chat completion. */
export function saidInMessages(messages: readonly OpenaiMessage[]): SaidAll {
  const calls = new Set<string>()
  const said = messages.flatMap((message, index): Said[] => {
    const pointer = `/messages/${index}`
    const { role } = message
    if (role === "system" || role === "developer") return []
    if (role === "tool" || role === "function") {
      if (!calls.has(message.tool_call_id ?? "") || index === messages.length - 1) throw foreignResult(pointer)
      return []
    }
    const content = contentOf(message.content, `${pointer}/content`)
    if (role === "user") return [{ role, ...content }]
    for (const { id } of message.tool_calls ?? []) calls.add(id)
    return [{ role, ...content, files: [] }]
  })
  return splitOff(said, "/messages")
}

/** Of a response: a text, or items. */
export function saidInItems(input: string | readonly OpenaiItem[]): SaidAll {
  if (typeof input === "string") return splitOff([{ role: "user", text: input, files: [] }], "/input")
  const calls = new Set<string>()
  const said = input.flatMap((item, index): Said[] => {
    const pointer = `/input/${index}`
    const type = item.type ?? "message"
    if (type === "message") return messageItem(item, pointer)
    if (type === "function_call" || type === "custom_tool_call") {
      calls.add(item.call_id ?? "")
      return []
    }
    if (type.endsWith("_output")) {
      if (!calls.has(item.call_id ?? "") || index === input.length - 1) throw foreignResult(pointer)
      return []
    }
    // Output items of earlier responses, which clients resend.
    if (type === "reasoning" || type === "mcp_call" || type === "mcp_list_tools") return []
    if (type === "mcp_approval_response")
      throw new Refusal("request.invalid", "Approvals are answered in text: send yes or no as a message.", pointer)
    throw new Refusal("request.invalid", `Items of type "${type}" are not supported.`, `${pointer}/type`)
  })
  return splitOff(joinedAtEnd(said), "/input")
}

/** Items at the end of a response's input are one new input, even if they are several messages. */
function joinedAtEnd(said: readonly Said[]): readonly Said[] {
  const count = said.length - 1 - said.findLastIndex(({ role }) => role === "assistant")
  const last = said.slice(said.length - count)
  if (last.length < 2) return said
  const text = last.map((one) => one.text).join("\n\n")
  return [...said.slice(0, -count), { role: "user", text, files: last.flatMap(({ files }) => files) }]
}

function messageItem(item: OpenaiItem, pointer: string): Said[] {
  const { role } = item
  if (role === "system" || role === "developer") return []
  const content = contentOf(item.content, `${pointer}/content`)
  if (role === "assistant") return [{ role, ...content, files: [] }]
  if (role === "user") return [{ role, ...content }]
  throw new Refusal("request.invalid", "A message needs the role user, assistant, system or developer.", pointer)
}

function splitOff(said: readonly Said[], pointer: string): SaidAll {
  const last = said.at(-1)
  if (last?.role !== "user") throw new Refusal("request.invalid", "The last message must be from the user.", pointer)
  if (last.text.trim() === "" && last.files.length === 0)
    throw new Refusal("request.invalid", "The last message has neither text nor files.", pointer)
  return { history: said.slice(0, -1), message: last }
}

type Content = OpenaiMessage["content"]
type Part = Extract<Content, readonly unknown[]>[number]

function contentOf(
  content: Content,
  pointer: string,
): { readonly text: string; readonly files: readonly OpenaiFile[] } {
  if (typeof content === "string") return { text: content, files: [] }
  const texts: string[] = []
  const files: OpenaiFile[] = []
  for (const [index, part] of (content ?? []).entries()) {
    const place = `${pointer}/${index}`
    if (part.type === "text" || part.type === "input_text" || part.type === "output_text") texts.push(textOf(part))
    else if (part.type === "refusal") texts.push(typeof part.refusal === "string" ? part.refusal : "")
    else if (part.type === "image_url" || part.type === "input_image") files.push(imageOf(part, place))
    else if (part.type === "file" || part.type === "input_file") files.push(fileOf(part, place))
    else throw new Refusal("request.invalid", `Parts of type "${part.type}" are not supported.`, `${place}/type`)
  }
  return { text: texts.join("\n\n"), files }
}

function textOf({ text }: Part): string {
  return typeof text === "string" ? text : ""
}

function imageOf(part: Part, pointer: string): OpenaiFile {
  if (typeof part.file_id === "string") return attachment(part.file_id, "image", pointer)
  const given = part.image_url
  const url = typeof given === "object" && given !== null && "url" in given ? given.url : given
  return dataFile(url, "image", `${pointer}/image_url`)
}

function fileOf(part: Part, pointer: string): OpenaiFile {
  const inner = typeof part.file === "object" && part.file !== null ? (part.file as Record<string, unknown>) : part
  const name = typeof inner.filename === "string" ? inner.filename : "file"
  if (typeof inner.file_id === "string") return attachment(inner.file_id, name, pointer)
  return dataFile(inner.file_data, name, `${pointer}/file_data`)
}

/** An attachment that was uploaded before, by its hash. */
function attachment(id: string, name: string, pointer: string): OpenaiFile {
  if (/^[0-9a-f]{64}$/.test(id)) return { mediaType: "", name, url: `/v1/attachments/${id}` }
  throw new Refusal("request.invalid", "A file id is the hash of an attachment (POST /v1/attachments).", pointer)
}

function dataFile(url: unknown, name: string, pointer: string): OpenaiFile {
  const text = typeof url === "string" ? url : ""
  if (/^\/v1\/attachments\/[0-9a-f]{64}$/.test(text)) return { mediaType: "", name, url: text }
  const mediaType = /^data:([^;,]{1,127})[;,]/.exec(text.slice(0, 256))?.[1]
  if (mediaType !== undefined) return { mediaType, name, url: text }
  throw new Refusal(
    "request.invalid",
    "Send the file as a data: URL (data:image/png;base64,…). The server does not download files.",
    pointer,
  )
}

function foreignResult(pointer: string): Refusal {
  return new Refusal(
    "request.invalid",
    "This is the result of a tool that was not called. Tools run on the server; their results cannot be sent.",
    pointer,
  )
}
