/** Generates OpenAPI 3.1 from the route table. */
import { problem, type Route, routes } from "@parlor/protocol"
import { z } from "zod"

type JsonSchema = Record<string, unknown>

const BINARY = { type: "string", format: "binary" }

let made: JsonSchema | undefined

export function openapi(version: string): JsonSchema {
  made ??= document(version)
  return made
}

function document(version: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const path = route.path.replace(/:(\w+)\*?/g, "{$1}")
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Parlor", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        signature: { type: "apiKey", in: "header", name: "webhook-signature" },
      },
      schemas: { Problem: schemaOf(problem, "output") },
    },
  }
}

function operation(name: string, route: Route): JsonSchema {
  return {
    operationId: name,
    summary: route.summary,
    security: securityOf(route),
    parameters: [...parameters(route.params, "path"), ...parameters(route.query, "query")],
    ...(route.body ? { requestBody: content("application/json", schemaOf(route.body, "input"), true) } : {}),
    ...(route.bytes ? { requestBody: content("*/*", BINARY, true) } : {}),
    ...(route.bodyType ? { requestBody: content(route.bodyType, { type: "string" }, true) } : {}),
    responses: {
      ...success(route),
      default: {
        description: "A problem",
        ...content("application/problem+json", { $ref: "#/components/schemas/Problem" }),
      },
    },
  }
}

function securityOf({ needs }: Route): JsonSchema[] {
  if (needs === "nothing") return []
  return needs === "signature" ? [{ signature: [] }] : [{ bearer: [needs] }]
}

function success(route: Route): JsonSchema {
  const status = String(route.answer?.status ?? 200)
  if (route.stream)
    return { [status]: { description: "A slice of the stream", ...content("application/json", { type: "array" }) } }
  if (route.answer?.type === "web") {
    const types = {
      "application/json": { schema: { type: "object" } },
      "text/event-stream": { schema: { type: "string" } },
    }
    return { [status]: { description: "JSON, or server-sent events", content: types } }
  }
  if (route.answer?.type === "bytes") return { [status]: { description: "The file", ...content("*/*", BINARY) } }
  if (route.answer?.type === "text/event-stream")
    return { [status]: { description: "Server-sent events", ...content("text/event-stream", { type: "string" }) } }
  if (route.answer?.type)
    return { [status]: { description: "Lines", ...content(route.answer.type, { type: "string" }) } }
  if (route.answer?.schema === undefined) return { [status]: { description: "Done" } }
  return { [status]: { description: "Done", ...content("application/json", schemaOf(route.answer.schema, "output")) } }
}

function content(type: string, schema: JsonSchema, required?: true): JsonSchema {
  return { ...(required ? { required } : {}), content: { [type]: { schema } } }
}

function parameters(schema: z.ZodType | undefined, where: "path" | "query"): JsonSchema[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: JsonSchema
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema,
  }))
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: "any" })
  return made
}
