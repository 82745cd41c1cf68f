/**
 * A model behind any OpenAI-compatible server, by the shortest way: Node's HTTP client and one parser.
 *
 * It exists beside the AI SDK's adapter because a token costs it a fraction of the CPU. Once the signal is aborted or
 * the promise settled, no event follows.
 */
import { randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { type Model, type ModelEvent, ModelFault } from "@parlor/core"
import { brokenStreamFault, complaintIn, connectionFault, statusFault, streamFault } from "../faults.ts"
import { answerParser } from "./parse.ts"
import { type Poster, poster } from "./post.ts"
import { bodyWriter } from "./wire.ts"

export type ChatCompletionsOptions = {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly model: string
  readonly window: number
}

const maxErrorBodyBytes = 64 * 1024
/** How long a server may keep the connection open after its last word before it is closed instead of reused. */
const drainMs = 2_000

export function chatCompletionsModel(options: ChatCompletionsOptions): Model {
  const post = poster(endpointOf(options.baseUrl), {
    "content-type": "application/json",
    accept: "text/event-stream",
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
  })
  const secrets = options.apiKey === undefined ? [] : [options.apiKey]
  const write = bodyWriter(options.model)
  return {
    name: options.name,
    window: options.window,
    run: (request, { signal, onEvent }) => run(post, write(request), { signal, onEvent, secrets }),
  }
}

type RunOptions = {
  readonly signal: AbortSignal
  readonly onEvent: (event: ModelEvent) => void
  readonly secrets: readonly string[]
}

function run(post: Poster, body: readonly Buffer[], options: RunOptions): Promise<void> {
  const { signal, onEvent, secrets } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    let open = true
    const close = (): void => {
      open = false
      signal.removeEventListener("abort", abort)
    }
    const finish = (): void => {
      if (!open) return
      close()
      posting.destroyAfterIdle(drainMs)
      resolve()
    }
    const fail = (error: unknown): void => {
      if (!open) return
      close()
      posting.destroy()
      reject(error)
    }
    const abort = (): void => fail(signal.reason)
    signal.addEventListener("abort", abort, { once: true })

    const emit = (event: ModelEvent): void => {
      if (open) onEvent(event)
    }
    const posting = post(body, {
      error: (error) => fail(connectionFault(error)),
      response: (response) => {
        response.on("error", () => fail(brokenStreamFault()))
        if (isEventStream(response)) readAnswer(response, { emit, finish, fail, secrets })
        else readComplaint(response, secrets, fail)
      },
    })
  })
}

type AnswerSink = {
  readonly emit: (event: ModelEvent) => void
  readonly finish: () => void
  readonly fail: (error: unknown) => void
  readonly secrets: readonly string[]
}

function readAnswer(response: IncomingMessage, sink: AnswerSink): void {
  const parser = answerParser(sink.emit, { newCallId: () => `call_${randomUUID()}`, secrets: sink.secrets })
  let reading = true
  const step = (read: () => boolean): void => {
    if (!reading) return
    try {
      if (!read()) return
      reading = false
      sink.finish()
    } catch (error) {
      reading = false
      sink.fail(error)
    }
  }
  response.on("data", (bytes: Buffer) => step(() => parser.push(bytes)))
  response.on("end", () =>
    step(() => {
      parser.end()
      return true
    }),
  )
}

function readComplaint(response: IncomingMessage, secrets: readonly string[], fail: (error: unknown) => void): void {
  const pieces: Buffer[] = []
  let bytes = 0
  const end = (): void => fail(complaintFault(response, Buffer.concat(pieces).toString(), secrets))
  response.on("data", (piece: Buffer) => {
    pieces.push(piece)
    bytes += piece.byteLength
    if (bytes > maxErrorBodyBytes) end()
  })
  response.on("end", end)
}

function complaintFault(response: IncomingMessage, body: string, secrets: readonly string[]): ModelFault {
  const complaint = complaintIn(parsed(body))
  const status = response.statusCode ?? 0
  if (status < 200 || status > 299)
    return statusFault(status, { complaint, headers: response.headers, now: Date.now(), secrets })
  if (complaint !== undefined && complaint.message !== "") return streamFault(complaint, secrets)
  if (parsed(body) === undefined) return brokenStreamFault("it is not an event stream")
  return new ModelFault("The model provider answered without streaming.", { transient: false })
}

/** Servers that name no content type, or plain text, stream all the same. */
function isEventStream(response: IncomingMessage): boolean {
  const status = response.statusCode ?? 0
  if (status < 200 || status > 299) return false
  return !/\b(?:json|html)\b/.test(response.headers["content-type"] ?? "")
}

function endpointOf(baseUrl: string): URL {
  const endpoint = new URL(baseUrl)
  endpoint.pathname = `${endpoint.pathname.replace(/\/+$/, "")}/chat/completions`
  return endpoint
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
