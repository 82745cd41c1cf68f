/** Generates OpenAPI 3.1 from the route table (API-15). */
import { changeEvent, type Problem, type Route, type RouteName, routes, toProblem } from "@parlor/protocol"
import { operation } from "./operation.ts"
import { headers, Parameters } from "./parameters.ts"
import { type JsonSchema, Schemas } from "./schemas.ts"
import { tagOf } from "./tags.ts"

const made = new Map<string, JsonSchema>()

/** `url`: the public address of the server; without one, clients use the address they got the document from. */
export function openapi(version: string, url = "/"): JsonSchema {
  const known = made.get(url)
  if (known !== undefined) return known
  const document = documentOf(version, url)
  made.set(url, document)
  return document
}

function documentOf(version: string, url: string): JsonSchema {
  const schemas = new Schemas()
  const parameters = new Parameters(schemas)
  const all = Object.entries(routes) as [RouteName, Route][]
  // Responses first: what reads differently in a request gets a name of its own.
  for (const [name, route] of all) parameters.count(name, route)
  for (const { answer, waits } of Object.values<Route>(routes))
    for (const schema of [answer?.schema, waits?.schema]) if (schema !== undefined) schemas.add(schema, "output")
  schemas.add(changeEvent, "output")
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const [name, route] of all) {
    const path = route.path.replace(/:(\w+)\*?/g, "{$1}")
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, { schemas, parameters }) }
  }
  const tags = [...new Map(all.map(([, route]) => [tagOf(route.path).name, tagOf(route.path)])).values()]
  return {
    openapi: "3.1.0",
    info: {
      title: "Parlor",
      version,
      summary: "The conversation layer between people and AI agents",
      description: DESCRIPTION,
      contact: { name: "Parlor" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url, description: "This server" }],
    tags: tags.sort((a, b) => (a.name < b.name ? -1 : 1)),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "The local token, an API key, or a JWT of the issuer. The scope an operation needs is listed with it.",
        },
        signature: {
          type: "apiKey",
          in: "header",
          name: "webhook-signature",
          description:
            "A signature of the body with the webhook's secret (Standard Webhooks), or `x-hub-signature-256`.",
        },
      },
      schemas: { ...schemas.components },
      parameters: parameters.components,
      headers,
      responses: {
        Problem: {
          description: "An error: an RFC 9457 problem. `code` is one of a fixed table; `detail` is for people.",
          content: {
            "application/problem+json": {
              schema: { $ref: "#/components/schemas/Problem" },
              examples: { unknown: { value: EXAMPLE } },
            },
          },
        },
        TextProblem: {
          description: "An error as text, for clients that show it to the person.",
          headers: {
            "Parlor-Code": { $ref: "#/components/headers/Parlor-Code" },
            "Parlor-Pointer": { $ref: "#/components/headers/Parlor-Pointer" },
          },
          content: { "text/plain": { schema: { type: "string" } } },
        },
        OpenaiProblem: {
          description: "An error in OpenAI's form.",
          headers: { "Parlor-Code": { $ref: "#/components/headers/Parlor-Code" } },
          content: { "application/json": { schema: OPENAI_ERROR } },
        },
        RpcProblem: {
          description: "An error in the form of JSON-RPC.",
          content: { "application/json": { schema: RPC_ERROR } },
        },
        RunError: {
          description: "An AG-UI event of the type RUN_ERROR.",
          headers: { "Parlor-Code": { $ref: "#/components/headers/Parlor-Code" } },
          content: { "application/json": { schema: RUN_ERROR } },
        },
      },
    },
  }
}

const STRING = { type: "string" }
const NULLABLE = { type: ["string", "null"] }
const OPENAI_ERROR = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["message", "type", "param", "code"],
      properties: { message: STRING, type: STRING, param: NULLABLE, code: NULLABLE },
    },
  },
}
const RPC_ERROR = {
  type: "object",
  required: ["jsonrpc", "id", "error"],
  properties: {
    jsonrpc: { const: "2.0" },
    id: { type: ["string", "integer", "null"] },
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { type: "integer" },
        message: STRING,
        data: { type: "object", properties: { code: STRING, pointer: STRING } },
      },
    },
  },
}
const RUN_ERROR = {
  type: "object",
  required: ["type", "message"],
  properties: { type: { const: "RUN_ERROR" }, message: STRING, code: STRING },
}

const EXAMPLE: Problem = toProblem("conversation.unknown", "There is no such conversation.")

const DESCRIPTION = `Every conversation is a durable, ordered log of changes, addressed by agent and branch.
Commands change it; its events are read as a Durable Stream, from any offset.

Responses may gain fields. Repeat a command whose response was lost with the same \`Idempotency-Key\`.`
