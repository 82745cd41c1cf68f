/** Errors in the protocol's own form: JSON-RPC codes, with Parlor's code beside them. */
import { RequestError } from "@agentclientprotocol/sdk"
import { ParlorError } from "@parlor/client"
import { Refusal } from "@parlor/protocol"
import { Complaint } from "../complaint.ts"
import { explain } from "../explain.ts"

const INVALID_PARAMS = -32602
const INTERNAL = -32603
const AUTHENTICATION_REQUIRED = -32000
const NOT_FOUND = -32002

export function rpcError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  if (error instanceof ParlorError) {
    const { code, status, pointer } = error
    const data = { code, status, ...(pointer === undefined ? {} : { pointer }) }
    return new RequestError(codeOf(error), explain(error), data)
  }
  if (error instanceof Refusal) return new RequestError(INVALID_PARAMS, error.message, { code: error.code })
  if (error instanceof Complaint) return new RequestError(INVALID_PARAMS, error.message)
  return new RequestError(INTERNAL, explain(error))
}

export function unknownSession(id: string): RequestError {
  return new RequestError(NOT_FOUND, `There is no session ${JSON.stringify(id)}.`, { code: "conversation.unknown" })
}

export function unknownOption(id: string): RequestError {
  return new RequestError(INVALID_PARAMS, `There is no option ${JSON.stringify(id)}.`, { code: "request.invalid" })
}

export function failedTurn(code: string, detail: string): RequestError {
  return new RequestError(INTERNAL, detail, { code })
}

function codeOf({ status, code }: ParlorError): number {
  if (status === 401) return AUTHENTICATION_REQUIRED
  if (code === "conversation.unknown" || code === "agent.unknown") return NOT_FOUND
  return status >= 400 && status < 500 ? INVALID_PARAMS : INTERNAL
}
