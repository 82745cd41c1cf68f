/** One route as an OpenAPI operation. */
import { changeEvent, problem, type Route, type RouteName } from "@parlor/protocol"
import { examples } from "./examples.ts"
import type { Parameters } from "./parameters.ts"
import type { JsonSchema, Schemas } from "./schemas.ts"
import { tagOf } from "./tags.ts"

const BINARY = { type: "string", format: "binary" }
const TEXT = { type: "string" }
const ANY_OBJECT = { type: "object", additionalProperties: true }

type Parts = { readonly schemas: Schemas; readonly parameters: Parameters }

export function operation(name: RouteName, route: Route, { schemas, parameters }: Parts): JsonSchema {
  schemas.add(problem, "output")
  return {
    operationId: name,
    summary: route.summary,
    description: descriptionOf(route),
    tags: [tagOf(route.path).name],
    security: securityOf(route),
    parameters: parameters.of(route),
    ...requestBody(name, route, schemas),
    responses: { ...responses(name, route, schemas), ...errors(route) },
  }
}

function descriptionOf({ summary, needs, path }: Route): string {
  const right =
    needs === "nothing"
      ? "Needs no token."
      : needs === "signature"
        ? "Needs no token: the body is signed."
        : `Requires the scope \`${needs}\`.`
  const rest = path.includes("*") ? " The path may contain slashes, which are not encoded." : ""
  return `${summary}. ${right}${rest}`
}

function securityOf({ needs }: Route): JsonSchema[] {
  if (needs === "nothing") return []
  return needs === "signature" ? [{ signature: [] }] : [{ bearer: [] }]
}

function requestBody(name: RouteName, route: Route, schemas: Schemas): JsonSchema {
  if (route.body) {
    const schema = schemas.addNamed(route.body, "input", `${capital(name)}Request`)
    const example = examples[name]
    const shown = example === undefined ? {} : { examples: { usual: { value: example } } }
    return { requestBody: { required: true, content: { "application/json": { schema, ...shown } } } }
  }
  if (route.bytes) return { requestBody: { required: true, content: { "*/*": { schema: BINARY } } } }
  if (route.bodyType) return { requestBody: { required: true, content: { [route.bodyType]: { schema: TEXT } } } }
  return {}
}

function responses(name: RouteName, route: Route, schemas: Schemas): JsonSchema {
  const status = String(route.answer?.status ?? 200)
  if (route.stream) return streamResponses(schemas)
  const txid = { headers: { "Parlor-Txid": { $ref: "#/components/headers/Parlor-Txid" } } }
  if (route.answer?.type === "bytes")
    return {
      [status]: { description: "The content", ...etag, content: { "application/octet-stream": { schema: BINARY } } },
    }
  if (route.answer?.type === "web") {
    const content = { "application/json": { schema: ANY_OBJECT }, "text/event-stream": { schema: TEXT } }
    return { [status]: { description: "JSON, or server-sent events", content } }
  }
  if (route.answer?.type === "text/event-stream")
    return {
      [status]: { description: "Server-sent events", content: { "text/event-stream": { schema: TEXT } } },
      ...(route.method === "GET" ? { 204: { description: "There is nothing to stream" } } : {}),
    }
  if (route.answer?.type)
    return { [status]: { description: "Lines", content: { [route.answer.type]: { schema: TEXT } } } }
  if (route.answer?.schema === undefined) return { [status]: { description: "Done", ...txid } }
  const schema = schemas.addNamed(route.answer.schema, "output", `${capital(name)}Response`)
  const events = route.mayStream ? { "text/event-stream": { schema: TEXT } } : {}
  const done = { description: "Done", ...txid, content: { "application/json": { schema }, ...events } }
  return { ...(route.waits ? waited(name, route.waits, schemas) : {}), [status]: done }
}

function waited(name: RouteName, { status, schema }: NonNullable<Route["waits"]>, schemas: Schemas): JsonSchema {
  return {
    [status]: {
      description: "With `Prefer: wait`, the reply; with `Accept: text/event-stream`, its turn events",
      headers: { "Preference-Applied": { $ref: "#/components/headers/Preference-Applied" } },
      content: {
        "application/json": { schema: schemas.addNamed(schema, "output", `${capital(name)}Reply`) },
        "text/event-stream": { schema: TEXT },
      },
    },
  }
}

const etag = { headers: { ETag: { $ref: "#/components/headers/ETag" } } }

function streamResponses(schemas: Schemas): JsonSchema {
  const names = ["Stream-Next-Offset", "Stream-Up-To-Date", "Stream-Cursor"]
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  const items = schemas.addNamed(changeEvent, "output", "ChangeEvent")
  return {
    200: {
      description: "A slice of the stream; with `live=sse`, server-sent events until the client leaves",
      headers: { ...headers, ...etag.headers },
      content: {
        "application/json": { schema: { type: "array", items } },
        "text/event-stream": { schema: TEXT },
      },
    },
    204: { description: "With `live=long-poll`: nothing new yet", headers },
    304: { description: "The slice has not changed" },
  }
}

/** The usual ones by their status; `default` is any other. Not `4XX`, which some generators cannot read. */
function errors(route: Route): JsonSchema {
  const isCalled = route.needs !== "nothing" && route.needs !== "signature"
  const statuses = [
    403,
    ...(isCalled ? [401, 429] : []),
    ...(route.params ? [404] : []),
    ...(route.params || route.query || route.body ? [422] : []),
    ...(route.method === "GET" ? [] : [409]),
    ...(route.body || route.bytes || route.bodyType ? [413, 415] : []),
    "default",
  ]
  const problem = { $ref: `#/components/responses/${PROBLEMS[route.errors ?? "problem"]}` }
  return Object.fromEntries(statuses.map((status) => [status, problem]))
}

const PROBLEMS = {
  problem: "Problem",
  text: "TextProblem",
  openai: "OpenaiProblem",
  "json-rpc": "RpcProblem",
  "ag-ui": "RunError",
} as const

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}
