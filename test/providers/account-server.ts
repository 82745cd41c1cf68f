/**
 * A provider's account on a real socket: lists its models and answers, each provider in its own wire format, if the
 * request has the right key in the right header.
 */
import http from "node:http"
import type { AddressInfo } from "node:net"
import * as anthropic from "./recorded/anthropic.ts"
import * as google from "./recorded/google.ts"
import * as chat from "./recorded/openai-chat.ts"
import * as responses from "./recorded/openai-responses.ts"
import type { Recording } from "./recorded/replay.ts"

type Format = {
  readonly key: (headers: http.IncomingHttpHeaders) => string | undefined
  readonly says: (text: string) => Recording
  readonly badKey: Recording
  readonly noQuota: Recording
  readonly list: (ids: readonly string[]) => object
}

const bearer = ({ authorization }: http.IncomingHttpHeaders) => authorization?.replace(/^Bearer /, "")
const listed = (ids: readonly string[]) => ({
  object: "list",
  data: ids.map((id) => ({ id, object: "model", created: 1_790_000_000, owned_by: "them" })),
})

const formats = {
  responses: { ...responses, key: bearer, list: listed },
  chat: { ...chat, key: bearer, list: listed },
  anthropic: {
    ...anthropic,
    key: (headers) => headers["x-api-key"] as string | undefined,
    list: (ids) => ({
      data: ids.map((id) => ({ type: "model", id, display_name: id, created_at: "2026-02-19T00:00:00Z" })),
      has_more: false,
      first_id: ids[0],
      last_id: ids.at(-1),
    }),
  },
  google: {
    ...google,
    key: (headers) => headers["x-goog-api-key"] as string | undefined,
    list: (ids) => ({
      models: [
        ...ids.map((id) => ({ name: `models/${id}`, supportedGenerationMethods: ["generateContent", "countTokens"] })),
        { name: "models/text-embedding-9", supportedGenerationMethods: ["embedContent"] },
      ],
    }),
  },
} as const satisfies Record<string, Format>

export type AccountServer = {
  readonly url: string
  /** Variables that send the requests of every provider here. */
  readonly env: Readonly<Record<string, string>>
  /** The key that it accepts. Without one, it accepts requests without a key. */
  key: string | undefined
  models: readonly string[]
  /** `quota`: lists models, and refuses to answer. `silent`: never answers. */
  mood: "well" | "quota" | "silent"
  says: string
  /** Paths that were requested, with the key each had. */
  readonly asked: { readonly path: string; readonly key: string | undefined }[]
  close(): Promise<void>
}

export async function openAccountServer(key: string | undefined): Promise<AccountServer> {
  const server = http.createServer(async (request, response) => {
    for await (const _ of request);
    const path = request.url ?? ""
    const format = formatOf(path, request.headers)
    const given = format.key(request.headers)
    account.asked.push({ path, key: given })
    if (account.mood === "silent") return
    const answer = answerTo(format, path, given)
    const type = answer.status === undefined && !isList(path) ? "text/event-stream" : "application/json"
    response.writeHead(answer.status ?? 200, { "content-type": type })
    response.end(answer.body)
  })
  const answerTo = (format: Format, path: string, given: string | undefined): Recording => {
    if (given !== account.key) return format.badKey
    if (isList(path)) return { body: JSON.stringify(format.list(account.models)) }
    return account.mood === "quota" ? format.noQuota : format.says(account.says)
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const account: AccountServer = {
    url,
    env: {
      PARLOR_OPENAI_BASE_URL: `${url}/v1`,
      ANTHROPIC_BASE_URL: `${url}/v1`,
      GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta`,
    },
    key,
    models: [],
    mood: "well",
    says: "A real model says so.",
    asked: [],
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
  return account
}

const isList = (path: string) => /\/models(?:\?|$)/.test(path)

function formatOf(path: string, headers: http.IncomingHttpHeaders): Format {
  if (path.startsWith("/v1beta")) return formats.google
  if (headers["anthropic-version"] !== undefined) return formats.anthropic
  return path.startsWith("/v1/responses") || (isList(path) && path.startsWith("/v1/"))
    ? formats.responses
    : formats.chat
}
