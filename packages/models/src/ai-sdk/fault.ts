/**
 * Converts what the AI SDK throws, or puts into its stream, into a fault of the model.
 *
 * Errors are recognized by name, not by class, so that nothing of the SDK has to be loaded. They contain the whole
 * request, so none of them becomes a cause.
 */
import { ModelFault } from "@parlor/core"
import type { Account } from "../account.ts"
import { complaintIn } from "../complaint.ts"
import { brokenStreamFault, connectionFault, statusFault, streamFault } from "../faults.ts"

type ApiCallError = Error & {
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: string
}

/** Whose account it is, and what no message may contain. */
export type Blame = { readonly account: Account | undefined; readonly secrets: readonly string[] }

export function faultOf(error: unknown, blame: Blame): ModelFault {
  if (error instanceof ModelFault) return error
  if (!(error instanceof Error)) return streamFault(complaintIn(error), blame)
  switch (error.name) {
    case "AI_APICallError":
      return apiCallFault(error, blame)
    case "AI_JSONParseError":
    case "AI_TypeValidationError":
    case "AI_InvalidResponseDataError":
    case "AI_EmptyResponseBodyError":
    case "AI_NoContentGeneratedError":
      return brokenStreamFault()
    default:
      if (error.name.startsWith("AI_")) return new ModelFault(configurationProblem(error.name), { transient: false })
      return connectionFault(error)
  }
}

function apiCallFault(error: ApiCallError, blame: Blame): ModelFault {
  const { statusCode, responseHeaders, responseBody } = error
  if (statusCode === undefined) return connectionFault(error)
  if (statusCode >= 200 && statusCode <= 299) return brokenStreamFault()
  const complaint = complaintIn(parsed(responseBody)) ?? complaintIn(error.message)
  return statusFault(statusCode, { complaint, headers: responseHeaders, now: Date.now(), ...blame })
}

function configurationProblem(name: string): string {
  switch (name) {
    case "AI_LoadAPIKeyError":
      return "The model provider's key is missing."
    case "AI_NoSuchModelError":
      return "The model provider has no such model."
    default:
      return "The model provider cannot take this request."
  }
}

function parsed(body: string | undefined): unknown {
  if (body === undefined) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
