/** A model request as the AI SDK's provider interface describes it. */
import type {
  JSONSchema7,
  JSONValue,
  LanguageModelV3FilePart,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider"
import type {
  ModelAgentPart,
  ModelAttachment,
  ModelMessage,
  ModelRequest,
  ModelToolResult,
  ToolSpec,
} from "@parlor/core"
import { base64Of, carried, type Takes } from "../attachments.ts"

export function promptOf(request: ModelRequest, takes: Takes): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = []
  if (request.instructions !== "") prompt.push({ role: "system", content: request.instructions })
  for (const message of request.messages) {
    const converted = messageOf(message, takes)
    if (converted.content.length > 0) prompt.push(converted)
  }
  return prompt
}

export function toolsOf(tools: readonly ToolSpec[]): LanguageModelV3FunctionTool[] {
  return tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema as JSONSchema7,
  }))
}

function messageOf(message: ModelMessage, takes: Takes): LanguageModelV3Message {
  switch (message.role) {
    case "person": {
      const { text, files } = carried(message, takes)
      return { role: "user", content: [...files.map(fileOf), { type: "text", text }] }
    }
    case "agent":
      return { role: "assistant", content: message.parts.filter(isSubstantial).map(partOf) }
    case "tools":
      return { role: "tool", content: message.results.map(resultOf) }
  }
}

/** As base64 text: the providers' packages would convert bytes one by one. */
function fileOf({ name, mediaType, data }: ModelAttachment): LanguageModelV3FilePart {
  return { type: "file", filename: name, mediaType, data: base64Of(data) }
}

/** Providers refuse an empty text part. */
function isSubstantial(part: ModelAgentPart): boolean {
  return part.type !== "text" || part.text !== ""
}

function partOf(
  part: ModelAgentPart,
): LanguageModelV3TextPart | LanguageModelV3ReasoningPart | LanguageModelV3ToolCallPart {
  const returned = part.meta === undefined ? {} : { providerOptions: part.meta as SharedV3ProviderOptions }
  if (part.type !== "tool") return { type: part.type, text: part.text, ...returned }
  return { type: "tool-call", toolCallId: part.call, toolName: part.name, input: part.input, ...returned }
}

function resultOf(result: ModelToolResult): LanguageModelV3ToolResultPart {
  return { type: "tool-result", toolCallId: result.call, toolName: result.name, output: outputOf(result) }
}

function outputOf(result: ModelToolResult): LanguageModelV3ToolResultPart["output"] {
  const { output, outcome } = result
  if (typeof output === "string") return { type: outcome === "failed" ? "error-text" : "text", value: output }
  return { type: outcome === "failed" ? "error-json" : "json", value: output as JSONValue }
}
