/**
 * The route table of the protocol, bound to handlers.
 *
 * Each request passes the same checks: Host and Origin, credential, scope, path, query, body; then its handler. A
 * route is reachable only through this table, and the table says what each one needs (SEC-1).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import {
  endpointOf,
  limits,
  Refusal,
  type RefusalCode,
  type Route,
  type RouteName,
  type Sent,
  toProblem,
} from "@parlor/protocol"
import { type Authenticate, type Caller, NOBODY } from "./auth/caller.ts"
import type { LinkHolders } from "./auth/link-holder.ts"
import { handlers } from "./handlers.ts"
import type { Allowance } from "./http/allowance.ts"
import { type Answer, writeAnswer } from "./http/answer.ts"
import { readBody } from "./http/body.ts"
import { bodyLines } from "./http/body-lines.ts"
import type { ClientAddresses } from "./http/client-address.ts"
import type { Cors } from "./http/cors.ts"
import { failedAs } from "./http/failed-as.ts"
import type { Gate } from "./http/gate.ts"
import { fit, parseJson } from "./http/json.ts"
import { jsonBody } from "./http/json-pieces.ts"
import { onceKey, requestHash } from "./http/once.ts"
import { problemAnswer, problemOf, SECURITY_HEADERS } from "./http/problem.ts"
import { bytesAnswer, commandAnswer, jsonAnswer, linesAnswer } from "./http/route-answer.ts"
import { allowedMethods, type Match, matchRoute } from "./http/router.ts"
import { rpcProblemAnswer } from "./http/rpc-problem.ts"
import { Stalled, whenClosed } from "./http/taken.ts"
import { checkSteps, decoded, pathParams, queryParams, targetOf } from "./http/target.ts"
import type { Page } from "./page/page.ts"
import { admit } from "./routes/trigger.ts"
import type { Call, RawBytes, Services } from "./services.ts"
import { answerStream } from "./streams/answer.ts"
import { type EventAnswer, writeEvents } from "./streams/event-answer.ts"
import type { Source } from "./streams/source.ts"
import { type WaitAnswer, waitFor } from "./streams/wait-answer.ts"
import { type WebAnswer, writeWebAnswer } from "./streams/web-answer.ts"
import { answerSend, waitingOf } from "./turns/answer-send.ts"

export type AppParts = {
  readonly services: Services
  readonly gate: Gate
  readonly cors: Cors
  readonly authenticate: Authenticate
  readonly linkHolder: LinkHolders
  readonly page: Page
  readonly clientAddress: ClientAddresses["clientAddress"]
}

export function createListener(parts: AppParts): RequestListener {
  return (incoming, out) => {
    // The client's next request should reach another server, or this one after its restart.
    if (parts.services.isDraining()) out.shouldKeepAlive = false
    void respond(parts, incoming, out)
  }
}

async function respond(parts: AppParts, incoming: IncomingMessage, out: ServerResponse): Promise<void> {
  try {
    const answer = await answerTo(parts, incoming, out).catch((error) => failed(parts.services, error, incoming))
    // An event stream has started and writes by itself.
    if (answer === undefined) return
    if (out.headersSent) out.destroy()
    else await writeAnswer(incoming, out, answer)
  } catch (error) {
    if (!(error instanceof Stalled)) parts.services.log.error("response not written", { reason: String(error) })
    out.destroy()
  }
}

async function answerTo(parts: AppParts, incoming: IncomingMessage, out: ServerResponse): Promise<Answer | undefined> {
  parts.gate(incoming)
  const { method = "GET", url = "" } = incoming
  checkSteps(url)
  const { path, query } = targetOf(url)
  const match = matchRoute(method, path)
  const reads = method === "GET" || method === "HEAD"
  if (match === undefined && reads) {
    const page = await parts.page(path, incoming.headers["accept-encoding"]?.toString())
    if (page !== undefined) return page
  }
  parts.cors.allow(incoming, out)
  if (match === undefined) return parts.cors.preflight(incoming, allowedMethods(path)) ?? missing(method, path)
  const answer = answerRoute(parts, match, query, incoming, out)
  const form = match.route.errors === undefined ? undefined : failedAs[match.route.errors]
  return form === undefined ? answer : answer.catch((error) => form(parts.services, error))
}

async function answerRoute<N extends RouteName>(
  parts: AppParts,
  match: Match,
  query: string,
  incoming: IncomingMessage,
  out: ServerResponse,
): Promise<Answer | undefined> {
  const { services } = parts
  const { route } = match
  const txid = services.runtime.txid()
  const caller = await callerOf(parts, match, incoming)
  services.sends.take(match.name, caller)
  const params = route.params ? fit(route.params, pathParams(match.params), "path") : undefined
  const allowance = route.needs === "signature" ? await admit(services, params as { id: string }) : undefined
  if (allowance !== undefined) whenClosed(out, () => allowance.end())
  const leave = route.heavy ? await services.heavy.enter(caller, out) : undefined
  const bytes = await bodyOf(route, incoming, allowance)
  const call = {
    caller,
    txid,
    bytes,
    lines: route.bodyType ? bodyLines(incoming, [route.bodyType, "application/x-ndjson"]) : undefined,
    params,
    query: route.query ? fit(route.query, queryParams(query), "query") : undefined,
    body: route.body ? fit(route.body, parseJson(bytes), "body") : undefined,
    header: (header: string) => headerOf(incoming.headers[header]),
  } as unknown as Call<N>
  const handle = handlers[match.name] as (services: Services, call: Call<N>) => Promise<unknown>
  const key = onceKey(route, call.header("idempotency-key"))
  if (key !== undefined) {
    const hash = requestHash(route.method, incoming.url ?? "", bytes)
    const { person } = caller
    return commandAnswer(
      await services.once.run({ person, key, hash, txid }, async () => ({
        ...jsonAnswer(route, (await handleAs(services, handle, call)).result),
        txid,
      })),
    )
  }
  const { result: given, handled } = await handleAs(services, handle, call)
  // What follows a turn counts as an open stream instead.
  if (route.mayStream) leave?.()
  const to = { out, reader: handled.caller, followers: services.followers, headers: SECURITY_HEADERS }
  const result = route.mayStream && isWaiting(given) ? await waitFor(given, to) : given
  if (out.destroyed) return undefined
  if (route.stream)
    return answerStream(services, result as Source, handled as unknown as Call<"followConversation">, {
      method: incoming.method === "HEAD" ? "HEAD" : "GET",
      out,
      headers: SECURITY_HEADERS,
    })
  if (route.answer?.type === "application/jsonl") return linesAnswer(result as AsyncIterable<string>)
  if (route.answer?.type === "text/event-stream" || (route.mayStream && isStreaming(result))) {
    if (result === undefined) return { status: 204, headers: SECURITY_HEADERS, body: null }
    await writeEvents(result as EventAnswer, to)
    return undefined
  }
  if (route.answer?.type === "web") {
    await writeWebAnswer(result as WebAnswer, to)
    return undefined
  }
  if (route.answer?.type === "bytes") return bytesAnswer(result as RawBytes)
  const waiting = route.waits && waitingOf(call.header)
  if (waiting)
    return answerSend(services, { sent: result as Sent, call: handled as unknown as Call<"send">, waiting, out })
  const answer = commandAnswer({ txid, ...jsonAnswer(route, null) })
  return answer.body === null ? answer : { ...answer, body: jsonBody(result) }
}

function isWaiting(result: unknown): result is WaitAnswer {
  return typeof result === "object" && result !== null && "wait" in result
}

function isStreaming(result: unknown): result is EventAnswer {
  return typeof result === "object" && result !== null && "frames" in result
}

/**
 * If a caller's name is linked or unlinked during a request, the store refuses it or finds nothing. The request is
 * then repeated for the person the name belongs to now, so that linking a name never loses its first message (ADR-4).
 */
async function handleAs<N extends RouteName>(
  services: Services,
  handle: (services: Services, call: Call<N>) => Promise<unknown>,
  call: Call<N>,
): Promise<{ readonly result: unknown; readonly handled: Call<N> }> {
  try {
    return { result: await handle(services, call), handled: call }
  } catch (error) {
    if (!(error instanceof Refusal) || call.caller === NOBODY) throw error
    const caller = await services.names.again(call.caller).catch(() => undefined)
    if (caller === undefined) throw error
    const handled = { ...call, caller }
    return { result: await handle(services, handled), handled }
  }
}

async function callerOf(parts: AppParts, { route, name, params }: Match, incoming: IncomingMessage): Promise<Caller> {
  const { headers } = incoming
  if (route.needs === "nothing" || route.needs === "signature") return NOBODY
  const named = headerOf(headers["parlor-person"])
  const person = named === undefined ? undefined : decoded(named, "Parlor-Person")
  const address = parts.clientAddress(incoming)
  try {
    const { authorization } = headers
    const share = params.share === undefined ? undefined : decoded(params.share, "share")
    const holder = route.shared && share ? await parts.linkHolder({ authorization, address, share }) : undefined
    if (holder !== undefined) return holder
    const caller = await parts.authenticate({ authorization, person, address })
    if (caller.scopes.includes(route.needs)) return caller
    throw new Refusal("auth.forbidden", `This needs the scope "${route.needs}".`)
  } catch (error) {
    throw parts.services.refused.note(error, { address, route: name })
  }
}

const NO_BODY = new Uint8Array()

async function bodyOf(route: Route, incoming: IncomingMessage, allowance: Allowance | undefined): Promise<Uint8Array> {
  if (route.body) return readBody(incoming, ["application/json"], route.bodyBytes ?? limits.bodyBytes)
  if (route.bytes) return readBody(incoming, "any", route.bytes.most, { code: route.bytes.tooLarge, allowance })
  return NO_BODY
}

function missing(method: string, path: string): Answer {
  const allowed = allowedMethods(path)
  if (allowed.length === 0) return refused(path, "route.unknown", `There is no route ${path}.`)
  const can = allowed.join(", ")
  return refused(path, "method.not-allowed", `${method} is not supported here. Use ${can}.`, { allow: can })
}

function refused(path: string, code: RefusalCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
  return errorFormOf(path)(toProblem(code, detail), headers)
}

function failed(services: Services, error: unknown, { method = "GET", url = "" }: IncomingMessage): Answer {
  const path = url.split("?", 1)[0] ?? ""
  const form = ownFormOf(method, path)
  if (form !== undefined) return failedAs[form](services, error)
  const { problem, headers } = problemOf(error, services.log, services.runtime.txid())
  return errorFormOf(path)(problem, headers)
}

/** The form of the route's protocol, for errors before the route was looked up, such as an origin that is not allowed. */
function ownFormOf(method: string, path: string): keyof typeof failedAs | undefined {
  try {
    return matchRoute(method, path)?.route.errors
  } catch {
    // The path is what is wrong.
    return undefined
  }
}

/** Even errors before the route is known, such as a wrong Host, have the form of the path's protocol. */
function errorFormOf(path: string | undefined): typeof problemAnswer {
  return path === endpointOf("mcp").path ? rpcProblemAnswer : problemAnswer
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
