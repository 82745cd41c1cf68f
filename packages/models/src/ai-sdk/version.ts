/**
 * The versions of the AI SDK's model interface that are accepted: V2, V3 and V4 (MOD-1). They differ in a few shapes,
 * which are translated here, so that the rest of the adapter knows one.
 */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider"
import type { ReasoningEffort } from "@parlor/protocol"
import { brokenStreamFault } from "../faults.ts"

/** Structural, because V4 is declared by a package that needs Node 22. */
export type AiSdkModel = {
  readonly specificationVersion: "v2" | "v3" | "v4"
  readonly provider: string
  readonly modelId: string
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

export type CallOptions = LanguageModelV3CallOptions & { readonly reasoning?: ReasoningEffort }
type Finish = Extract<LanguageModelV3StreamPart, { type: "finish" }>

export function isAiSdkModel(value: unknown): value is AiSdkModel {
  if (typeof value !== "object" || value === null) return false
  const { specificationVersion: version, doStream } = value as Partial<AiSdkModel>
  return typeof doStream === "function" && (version === "v2" || version === "v3" || version === "v4")
}

export async function openStream(
  model: AiSdkModel,
  { reasoning, ...options }: CallOptions,
): Promise<ReadableStream<LanguageModelV3StreamPart>> {
  const isV4 = model.specificationVersion === "v4"
  const asked = isV4
    ? { ...options, prompt: promptV4(options.prompt), ...(reasoning === undefined ? {} : effortV4(reasoning)) }
    : options
  const { stream } = await model.doStream(asked as never)
  return stream as ReadableStream<LanguageModelV3StreamPart>
}

/** The end of a stream as V3 says it: V2 has plain numbers and a plain reason, V4 one reason more. */
export function finishOf(part: Finish): Pick<Finish, "usage" | "finishReason"> {
  const { finishReason, usage } = part as { readonly finishReason: unknown; readonly usage: unknown }
  if (typeof finishReason === "string")
    return { finishReason: reasonV2(finishReason), usage: usageV2(usage as UsageV2) }
  const { unified } = finishReason as { readonly unified: string }
  if (unified === "interrupted") throw brokenStreamFault("the provider interrupted it")
  return part
}

function effortV4(reasoning: ReasoningEffort) {
  return { reasoning: reasoning === "max" ? "xhigh" : reasoning }
}

/** V4 says how file data is to be understood. */
function promptV4(prompt: LanguageModelV3Prompt): unknown {
  return prompt.map((message) => {
    if (message.role !== "user") return message
    const content = message.content.map((part) =>
      part.type === "file" ? { ...part, data: { type: "data", data: part.data } } : part,
    )
    return { ...message, content }
  })
}

type UsageV2 = {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly reasoningTokens?: number
  readonly cachedInputTokens?: number
}

function usageV2(usage: UsageV2): LanguageModelV3Usage {
  return {
    inputTokens: {
      total: usage.inputTokens,
      noCache: undefined,
      cacheRead: usage.cachedInputTokens,
      cacheWrite: undefined,
    },
    outputTokens: { total: usage.outputTokens, text: undefined, reasoning: usage.reasoningTokens },
  }
}

function reasonV2(reason: string): LanguageModelV3FinishReason {
  const known = ["stop", "length", "content-filter", "tool-calls", "error"] as const
  const unified = known.find((one) => one === reason) ?? "other"
  // V2 says "unknown" for a stream that broke off.
  return { unified, raw: reason === "unknown" ? undefined : reason }
}
