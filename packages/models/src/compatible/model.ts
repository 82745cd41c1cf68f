/**
 * A model on any OpenAI-compatible server, with as little work per token as possible: undici's callbacks and one parser.
 *
 * It exists in addition to the AI SDK's adapter because it needs a fraction of the CPU per token. Once the signal is
 * aborted or the promise settled, no event follows.
 */
import { randomUUID } from "node:crypto"
import { type Model, type ModelEvent, ModelFault } from "@parlor/core"
import { type Account, accounts } from "../account.ts"
import { complaintIn } from "../complaint.ts"
import type { ModelInfo } from "../config.ts"
import { brokenStreamFault, connectionFault, statusFault, streamFault } from "../faults.ts"
import { type AnswerParser, answerParser } from "./parse.ts"
import { type Poster, type Posting, poster } from "./post.ts"
import { parseHeaders } from "./undici.ts"
import { bodyWriter } from "./wire.ts"

export type ChatCompletionsOptions = Omit<ModelInfo, "window"> & {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly model: string
  readonly window: number
  /** Whose account it is, for errors. */
  readonly account?: Account
}

const maxErrorBodyBytes = 64 * 1024
/** How long a connection may stay open after the end of the answer before it is closed instead of reused. */
const drainMs = 2_000

export function chatCompletionsModel(options: ChatCompletionsOptions): Model {
  const { name, window, maxOutput, price, account = accounts.compatible } = options
  const post = poster(endpointOf(options.baseUrl), {
    "content-type": "application/json",
    accept: "text/event-stream",
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
  })
  const secrets = options.apiKey === undefined ? [] : [options.apiKey]
  const write = bodyWriter(options.model)
  return {
    name,
    window,
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(price === undefined ? {} : { price }),
    run: (request, { signal, onEvent }) => run(post, write(request), { signal, onEvent, secrets, account }),
  }
}

type RunOptions = {
  readonly signal: AbortSignal
  readonly onEvent: (event: ModelEvent) => void
  readonly secrets: readonly string[]
  readonly account: Account
}

function run(post: Poster, body: readonly Buffer[], options: RunOptions): Promise<void> {
  const { signal, onEvent, secrets, account } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    let open = true
    let posting: Posting | undefined
    let answer: AnswerParser | undefined
    const close = (): void => {
      open = false
      signal.removeEventListener("abort", abort)
    }
    const finish = (): void => {
      if (!open) return
      close()
      posting?.destroyAfter(drainMs)
      resolve()
    }
    const fail = (error: unknown): void => {
      if (!open) return
      close()
      posting?.destroy()
      reject(error)
    }
    const abort = (): void => fail(signal.reason)
    signal.addEventListener("abort", abort, { once: true })

    const emit = (event: ModelEvent): void => {
      if (open) onEvent(event)
    }
    posting = post(body, {
      head(status, headers) {
        answer = isEventStream(status, headers)
          ? answerParser(emit, { newCallId, secrets, account })
          : complaintParser(status, headers, { secrets, account })
      },
      data(bytes) {
        if (!open) return
        try {
          if (answer?.push(bytes) === true) finish()
        } catch (error) {
          fail(error)
        }
      },
      end() {
        if (!open) return
        try {
          answer?.end()
          finish()
        } catch (error) {
          fail(error)
        }
      },
      error: (error) => fail(answer === undefined ? connectionFault(error) : brokenStreamFault()),
    })
  })
}

type Whose = Pick<RunOptions, "secrets" | "account">

/** Reads the beginning of an error and throws it as a fault. */
function complaintParser(status: number, headers: readonly Buffer[], whose: Whose): AnswerParser {
  const pieces: Buffer[] = []
  let bytes = 0
  const end = (): never => {
    throw complaintFault(status, headers, { body: Buffer.concat(pieces).toString(), ...whose })
  }
  return {
    push(piece) {
      pieces.push(piece)
      bytes += piece.byteLength
      return bytes > maxErrorBodyBytes ? end() : false
    },
    end,
  }
}

function complaintFault(
  status: number,
  headers: readonly Buffer[],
  { body, secrets, account }: { readonly body: string } & Whose,
): ModelFault {
  const complaint = complaintIn(parsed(body))
  if (status < 200 || status > 299)
    return statusFault(status, {
      complaint,
      headers: parseHeaders([...headers]),
      now: Date.now(),
      secrets,
      account,
    })
  if (complaint !== undefined && complaint.message !== "") return streamFault(complaint, { secrets, account })
  if (parsed(body) === undefined) return brokenStreamFault("it is not an event stream")
  return new ModelFault("The model provider answered without streaming.", { transient: false })
}

/** Some servers stream without a content type, or as plain text. */
function isEventStream(status: number, headers: readonly Buffer[]): boolean {
  if (status < 200 || status > 299) return false
  return !/\b(?:json|html)\b/.test(contentType(headers))
}

/** Looked up directly: no other header is needed. */
function contentType(headers: readonly Buffer[]): string {
  const place = headers.findIndex(
    (name, index) => index % 2 === 0 && name.length === 12 && name.toString("latin1").toLowerCase() === "content-type",
  )
  return place === -1 ? "" : (headers[place + 1]?.toString("latin1") ?? "")
}

const newCallId = (): string => `call_${randomUUID()}`

function endpointOf(baseUrl: string): URL {
  const endpoint = new URL(baseUrl)
  endpoint.pathname = `${endpoint.pathname.replace(/(?<!\/)\/+$/, "")}/chat/completions`
  return endpoint
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
