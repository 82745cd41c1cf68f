/**
 * Google's generateContent API: https://ai.google.dev/api/generate-content and /gemini-api/docs/thought-signatures. The
 * shapes are those of recorded streams: a call has no id, the end comes in a chunk of its own, and the signature of a text
 * comes with an empty part.
 */
import { type Recording, unnamed } from "./replay.ts"

const THOUGHT = "**Looking up the weather**\n\nThe person asks about Oslo."
export const SIGNATURE = "CiIB0e2Kb7sThoughtSignatureOfTheCall=="

const usageMetadata = {
  promptTokenCount: 2_400,
  cachedContentTokenCount: 2_048,
  candidatesTokenCount: 32,
  promptTokensDetails: [{ modality: "TEXT", tokenCount: 2_400 }],
  cacheTokensDetails: [{ modality: "TEXT", tokenCount: 2_048 }],
  thoughtsTokenCount: 64,
  totalTokenCount: 2_496,
}

const chunk = (parts: readonly object[], finishReason?: string) => ({
  candidates: [{ content: { parts, role: "model" }, ...(finishReason ? { finishReason } : {}), index: 0 }],
  usageMetadata,
  modelVersion: "gemini-3.8-flash",
  responseId: "r3Rf",
})

export const thinksAndCalls: Recording = {
  body: unnamed(
    chunk([{ text: THOUGHT, thought: true }]),
    chunk([{ functionCall: { name: "weather", args: { city: "Oslo" } }, thoughtSignature: SIGNATURE }]),
    chunk([{ text: "" }], "STOP"),
  ),
}

export function says(text: string): Recording {
  return { body: unnamed(chunk([{ text }]), chunk([{ text: "", thoughtSignature: "SignatureOfTheText==" }], "STOP")) }
}

const exhausted = (quotaId: string, retryDelay: string): Recording => ({
  status: 429,
  body: JSON.stringify({
    error: {
      code: 429,
      message:
        "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.",
      status: "RESOURCE_EXHAUSTED",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.QuotaFailure",
          violations: [
            {
              quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
              quotaId,
              quotaDimensions: { model: "gemini-3.8-flash", location: "global" },
              quotaValue: "20",
            },
          ],
        },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay },
      ],
    },
  }),
})

export const noQuota = exhausted("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "41s")
export const rateLimit = exhausted("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "0.02s")
export const badKey: Recording = {
  status: 400,
  body: JSON.stringify({
    error: {
      code: 400,
      message: "API key not valid. Please pass a valid API key.",
      status: "INVALID_ARGUMENT",
      details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
    },
  }),
}
export const refusesReasoning: Recording = {
  status: 400,
  body: JSON.stringify({
    error: { code: 400, message: "Thought signature is not valid.", status: "INVALID_ARGUMENT" },
  }),
}
