/** Errors in the forms of other protocols, by the format that the route declares. */
import { agUiFrame } from "@parlor/adapters"
import { failedInOpenai } from "../openai/failed.ts"
import { RunRefusal } from "../routes/ag-ui.ts"
import type { Services } from "../services.ts"
import type { Answer } from "./answer.ts"
import { problemOf, SECURITY_HEADERS } from "./problem.ts"
import { rpcProblemAnswer } from "./rpc-problem.ts"

export const failedAs = {
  text: failedInText,
  openai: failedInOpenai,
  "ag-ui": failedInAgUi,
  "json-rpc": failedInRpc,
} as const

/** For clients that show an error's body to the person unchanged. */
function failedInText(services: Services, error: unknown): Answer {
  const { problem, headers } = problemOf(error, services.log, services.runtime.txid())
  return {
    status: problem.status,
    headers: {
      ...SECURITY_HEADERS,
      ...headers,
      "content-type": "text/plain; charset=utf-8",
      "parlor-code": problem.code,
      ...(problem.pointer === undefined ? {} : { "parlor-pointer": problem.pointer }),
    },
    body: problem.detail,
  }
}

/** As an AG-UI event: in a stream if the input was understood, otherwise as the body of an HTTP error. */
function failedInAgUi(services: Services, error: unknown): Answer {
  const { problem, headers } = problemOf(error, services.log, services.runtime.txid())
  const event = { type: "RUN_ERROR", message: problem.detail, code: problem.code } as const
  const inStream = error instanceof RunRefusal
  return {
    status: inStream ? 200 : problem.status,
    headers: {
      ...SECURITY_HEADERS,
      ...headers,
      "content-type": inStream ? "text/event-stream; charset=utf-8" : "application/json",
      "parlor-code": problem.code,
      ...(problem.pointer === undefined ? {} : { "parlor-pointer": problem.pointer }),
    },
    body: inStream ? agUiFrame(event) : JSON.stringify(event),
  }
}

function failedInRpc(services: Services, error: unknown): Answer {
  const { problem, headers } = problemOf(error, services.log, services.runtime.txid())
  return rpcProblemAnswer(problem, headers)
}
