/**
 * What a provider was sent, in the words of the model port: one shape for four wire formats, so that one expectation and
 * one set of rules hold for all of them.
 */
import type {
  Json,
  ModelAgentPart,
  ModelAttachment,
  ModelMessage,
  ModelRequest,
  ModelToolResult,
  ToolSpec,
} from "@parlor/core"

type Item =
  | { readonly from: "person"; readonly text: string }
  | { readonly from: "file"; readonly file: ModelAttachment }
  | { readonly from: "agent"; readonly part: ModelAgentPart }
  | { readonly from: "tools"; readonly result: ModelToolResult }

type Fields = Readonly<Record<string, unknown>>

/** Throws for what is no request of any known provider. */
export function requestOf(path: string, body: unknown): ModelRequest {
  const fields = body as Fields
  if (path.endsWith("/responses")) return fromResponses(fields)
  if (path.endsWith("/messages")) return fromAnthropic(fields)
  if (path.includes(":streamGenerateContent")) return fromGoogle(fields)
  if (path.endsWith("/chat/completions")) return fromChat(fields)
  throw new Error(`no provider listens at ${path}`)
}

function fromResponses(body: Fields): ModelRequest {
  const items = list(body.input)
  const isSystem = (item: Fields) => item.role === "system" || item.role === "developer"
  return {
    instructions: items
      .filter(isSystem)
      .map((item) => String(item.content))
      .join("\n"),
    tools: list(body.tools).map((tool) => spec(tool, tool.parameters)),
    messages: joined(
      items.flatMap((item): Item[] => {
        if (isSystem(item)) return []
        if (item.type === "function_call") return [call(item.call_id, item.name, parsed(item.arguments))]
        if (item.type === "function_call_output") return [result(item.call_id, item.output)]
        return list(item.content).map((part) => {
          if (part.type === "input_image") return dataUrl(part.image_url)
          return part.type === "input_file" ? dataUrl(part.file_data) : text(item.role, part.text)
        })
      }),
    ),
  }
}

function fromAnthropic(body: Fields): ModelRequest {
  return {
    instructions: list(body.system)
      .map((part) => String(part.text))
      .join("\n"),
    tools: list(body.tools).map((tool) => spec(tool, tool.input_schema)),
    messages: joined(
      list(body.messages).flatMap((message) =>
        list(message.content).map((part): Item => {
          if (part.type === "tool_use") return call(part.id, part.name, part.input)
          if (part.type === "tool_result") return result(part.tool_use_id, part.content, part.is_error === true)
          const source = part.source as Fields | undefined
          if (source !== undefined) return file(source.media_type, source.data)
          return text(message.role, part.text)
        }),
      ),
    ),
  }
}

function fromGoogle(body: Fields): ModelRequest {
  const declared = list(body.tools).flatMap((tool) => list(tool.functionDeclarations))
  return {
    instructions: list((body.systemInstruction as Fields | undefined)?.parts)
      .map((part) => String(part.text))
      .join("\n"),
    tools: declared.map((tool) => spec(tool, tool.parameters ?? { type: "object", properties: {} })),
    messages: joined(
      list(body.contents).flatMap((content) =>
        list(content.parts).map((part): Item => {
          const asked = part.functionCall as Fields | undefined
          const answered = part.functionResponse as Fields | undefined
          if (asked !== undefined) return call(asked.id, asked.name, asked.args)
          if (answered !== undefined) return result(answered.id, (answered.response as Fields).content)
          const inline = part.inlineData as Fields | undefined
          if (inline !== undefined) return file(inline.mimeType, inline.data)
          return text(content.role, part.text)
        }),
      ),
    ),
  }
}

function fromChat(body: Fields): ModelRequest {
  const messages = list(body.messages)
  return {
    instructions: messages
      .filter(({ role }) => role === "system")
      .map(({ content }) => String(content))
      .join("\n"),
    tools: list(body.tools).map((tool) => spec(tool.function as Fields, (tool.function as Fields).parameters)),
    messages: joined(
      messages.flatMap((message): Item[] => {
        if (message.role === "system") return []
        if (message.role === "tool") return [result(message.tool_call_id, message.content)]
        const said = chatContent(message)
        const calls = list(message.tool_calls).map((asked) => {
          const { name, arguments: input } = asked.function as Fields
          return call(asked.id, name, parsed(input))
        })
        return [...said, ...calls]
      }),
    ),
  }
}

function chatContent({ role, content }: Fields): Item[] {
  if (content === null || content === undefined) return []
  if (!Array.isArray(content)) return [text(role, content)]
  return list(content).map((part) =>
    part.type === "image_url" ? dataUrl((part.image_url as Fields).url) : text(role, part.text),
  )
}

/**
 * Neighbours of one side are one message, except a person's: two of those are two, for the rules to find. Files belong to
 * the text behind them.
 */
function joined(items: readonly Item[]): ModelMessage[] {
  const messages: ModelMessage[] = []
  let files: ModelAttachment[] = []
  const names = new Map<string, string>()
  for (const item of items) {
    const last = messages.at(-1)
    if (item.from === "file") files.push(item.file)
    else if (item.from === "person") {
      messages.push({ role: "person", text: item.text, ...(files.length === 0 ? {} : { attachments: files }) })
      files = []
    } else if (item.from === "agent") {
      if (item.part.type === "tool") names.set(item.part.call, item.part.name)
      if (last?.role === "agent") messages[messages.length - 1] = { role: "agent", parts: [...last.parts, item.part] }
      else messages.push({ role: "agent", parts: [item.part] })
    } else {
      const named = { ...item.result, name: names.get(item.result.call) ?? "" }
      if (last?.role === "tools") messages[messages.length - 1] = { role: "tools", results: [...last.results, named] }
      else messages.push({ role: "tools", results: [named] })
    }
  }
  return messages
}

function text(role: unknown, said: unknown): Item {
  if (typeof said !== "string") throw new Error(`a text is ${JSON.stringify(said)}`)
  return role === "user" ? { from: "person", text: said } : { from: "agent", part: { type: "text", text: said } }
}

function dataUrl(url: unknown): Item {
  const [, mediaType, data] = /^data:([^;]+);base64,(.+)$/.exec(String(url)) ?? []
  return file(mediaType, data)
}

function file(mediaType: unknown, data: unknown): Item {
  if (typeof mediaType !== "string" || typeof data !== "string") throw new Error("a file is not base64")
  return { from: "file", file: { name: "", mediaType, data: new Uint8Array(Buffer.from(data, "base64")) } }
}

function call(id: unknown, name: unknown, input: unknown): Item {
  return { from: "agent", part: { type: "tool", call: String(id), name: String(name), input: input as Json } }
}

function result(id: unknown, output: unknown, isError = false): Item {
  const outcome = isError ? "failed" : "done"
  return { from: "tools", result: { call: String(id), name: "", outcome, output: plain(output) } }
}

function plain(output: unknown): Json {
  return typeof output === "string" ? output : JSON.stringify(output)
}

function spec(tool: Fields, inputSchema: unknown): ToolSpec {
  return {
    name: String(tool.name),
    description: String(tool.description),
    inputSchema: inputSchema as ToolSpec["inputSchema"],
  }
}

function parsed(input: unknown): Json {
  return JSON.parse(String(input)) as Json
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : []
}
