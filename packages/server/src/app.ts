/**
 * The route table of the protocol, bound to handlers.
 *
 * Each request goes through the same door: Host and Origin, credential, right, path, query, body; then its handler. A
 * route is reachable only through this table, and the table says what each one needs (SEC-1).
 */
import type { HttpBindings } from "@hono/node-server"
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response"
import { type AnswerOf, limits, Refusal, type Route, type RouteName, routes } from "@parlor/protocol"
import { type Context, Hono } from "hono"
import type { Authenticate, Caller } from "./auth/caller.ts"
import { readBody } from "./http/body.ts"
import type { Gate } from "./http/gate.ts"
import { fit, parseJson } from "./http/json.ts"
import { problemOf, problemResponse, SECURITY_HEADERS } from "./http/problem.ts"
import { checkSteps, decoded, pathParams, queryParams } from "./http/target.ts"
import { openapi } from "./openapi.ts"
import type { Page } from "./page/page.ts"
import * as attachments from "./routes/attachments.ts"
import * as branch from "./routes/branch.ts"
import * as compaction from "./routes/compaction.ts"
import * as conversations from "./routes/conversations.ts"
import * as files from "./routes/files.ts"
import * as keys from "./routes/keys.ts"
import * as mcp from "./routes/mcp.ts"
import * as memory from "./routes/memory.ts"
import * as messages from "./routes/messages.ts"
import * as queue from "./routes/queue.ts"
import * as rollback from "./routes/rollback.ts"
import * as search from "./routes/search.ts"
import * as streams from "./routes/streams.ts"
import * as transfer from "./routes/transfer.ts"
import type { Call, RawBytes, Services } from "./services.ts"
import { answerStream } from "./streams/answer.ts"
import type { Source } from "./streams/source.ts"

type Env = { Bindings: HttpBindings }
type Answer<N extends RouteName> = (typeof routes)[N] extends { stream: true }
  ? Source
  : (typeof routes)[N] extends { answer: { type: "application/jsonl" } }
    ? AsyncIterable<string>
    : (typeof routes)[N] extends { answer: { type: "bytes" } }
      ? RawBytes
      : AnswerOf<N> extends undefined
        ? unknown
        : AnswerOf<N>
type Handlers = { readonly [N in RouteName]: (services: Services, call: Call<N>) => Promise<Answer<N>> }

const handlers: Handlers = {
  health: async ({ version, runtime }) => ({ ok: !runtime.storeIsDown, version }),
  describe: async ({ version }) => openapi(version),
  ...conversations.handlers,
  ...messages.handlers,
  ...queue.handlers,
  ...streams.handlers,
  ...transfer.handlers,
  ...keys.handlers,
  ...branch.handlers,
  ...rollback.handlers,
  ...memory.handlers,
  ...mcp.handlers,
  ...files.handlers,
  ...attachments.handlers,
  ...search.handlers,
  ...compaction.handlers,
}

export type AppParts = {
  readonly services: Services
  readonly gate: Gate
  readonly authenticate: Authenticate
  readonly page: Page
}

export function createApp(parts: AppParts): Hono<Env> {
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    parts.gate(c.env.incoming)
    checkSteps(c.env.incoming.url ?? "")
    await next()
  })
  for (const name of Object.keys(routes) as RouteName[]) {
    const route: Route = routes[name]
    app.on(route.method, route.path.replace(/:(\w+)\*$/, ":$1{.+}"), (c) => answer(parts, name, route, c))
  }
  app.get("*", (c) => parts.page(c.req.path, c.req.method) ?? missing(c))
  app.all("*", (c) => missing(c))
  app.onError((error, c) => failed(parts.services, error, c))
  return app
}

async function answer<N extends RouteName>(parts: AppParts, name: N, route: Route, c: Context<Env>): Promise<Response> {
  const { services } = parts
  const txid = services.runtime.txid()
  const caller = await callerOf(parts, route, c)
  const { incoming } = c.env
  const bytes = await bodyOf(route, c)
  const call = {
    caller,
    txid,
    bytes,
    params: route.params ? fit(route.params, pathParams(route.path, c.req.path), "path") : undefined,
    query: route.query ? fit(route.query, queryParams(c.req.url), "query") : undefined,
    body: route.body ? fit(route.body, parseJson(bytes), "body") : undefined,
    header: (header: string) => headerOf(incoming.headers[header]),
  } as unknown as Call<N>
  const handle = handlers[name] as (services: Services, call: Call<N>) => Promise<unknown>
  const result = await handle(services, call)
  if (route.stream) return streamed(services, c, result as Source, call as unknown as Call<"followConversation">)
  if (route.answer?.type === "application/jsonl") return lines(result as AsyncIterable<string>)
  if (route.answer?.type === "bytes") return bytesAnswer(result as RawBytes)
  const status = route.answer?.status ?? 200
  const headers = { ...SECURITY_HEADERS, "parlor-txid": txid }
  if (route.answer?.schema === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(result), { status, headers: { ...headers, "content-type": "application/json" } })
}

async function callerOf(parts: AppParts, route: Route, c: Context<Env>): Promise<Caller> {
  if (route.needs === "nothing") return { person: "", scopes: [], key: null, expiresAt: null, actFor: null }
  const { headers } = c.env.incoming
  const named = headerOf(headers["parlor-person"])
  const caller = await parts.authenticate({
    authorization: headers.authorization,
    person: named === undefined ? undefined : decoded(named, "Parlor-Person"),
  })
  if (caller.scopes.includes(route.needs)) return caller
  throw new Refusal("auth.forbidden", `This needs the right "${route.needs}".`)
}

async function bodyOf(route: Route, c: Context<Env>): Promise<Uint8Array> {
  const { incoming } = c.env
  if (route.bodyType) return readBody(incoming, [route.bodyType, "application/x-ndjson"], limits.importBytes)
  if (route.body) return readBody(incoming, ["application/json"], limits.bodyBytes)
  if (route.bytes) return readBody(incoming, "any", route.bytes.most, route.bytes.tooLarge)
  return new Uint8Array()
}

async function streamed(
  services: Services,
  c: Context<Env>,
  source: Source,
  call: Call<"followConversation">,
): Promise<Response> {
  const { incoming, outgoing } = c.env
  const response = await answerStream(services, source, call, {
    method: incoming.method === "HEAD" ? "HEAD" : "GET",
    out: outgoing,
    headers: SECURITY_HEADERS,
  })
  return response ?? RESPONSE_ALREADY_SENT
}

function lines(source: AsyncIterable<string>): Response {
  const iterator = source[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(`${value}\n`))
    },
    async cancel() {
      await iterator.return?.(undefined)
    },
  })
  return new Response(body, { headers: { ...SECURITY_HEADERS, "content-type": "application/jsonl" } })
}

/** Never shown as a page of ours: whatever it holds, a browser saves it or keeps it in a box (SEC-7). */
function bytesAnswer({ bytes, mediaType, name, etag }: RawBytes): Response {
  const headers = {
    ...SECURITY_HEADERS,
    "content-type": mediaType,
    "content-security-policy": "sandbox; default-src 'none'",
    ...(etag === undefined ? {} : { etag: `"${etag}"` }),
    ...(name === undefined
      ? {}
      : { "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}` }),
  }
  return new Response(new Uint8Array(bytes), { headers })
}

function missing(c: Context<Env>): never {
  const path = c.req.path
  const allowed = (Object.values(routes) as Route[])
    .filter((route) => matches(route.path, path))
    .flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]))
  if (allowed.length === 0) throw new Refusal("route.unknown", `There is nothing at ${path}.`)
  c.header("allow", allowed.join(", "))
  throw new Refusal("method.not-allowed", `${c.req.method} cannot be done here; ${allowed.join(", ")} can.`)
}

function matches(route: string, path: string): boolean {
  const given = path.split("/")
  const steps = route.split("/")
  if (steps.at(-1)?.endsWith("*")) given.splice(steps.length - 1, given.length, given.slice(steps.length - 1).join("/"))
  return steps.length === given.length && steps.every((step, index) => step.startsWith(":") || step === given[index])
}

function failed(services: Services, error: unknown, c: Context<Env>): Response {
  const { problem, headers } = problemOf(error, services.log, services.runtime.txid())
  const allow = c.res.headers.get("allow")
  return problemResponse(problem, allow === null ? headers : { ...headers, allow })
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
