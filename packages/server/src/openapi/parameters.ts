/** Parameters of operations. Those that several operations share are written once, in `components`. */
import { limits, type Route, type RouteName } from "@parlor/protocol"
import type { z } from "zod"
import type { JsonSchema, Schemas } from "./schemas.ts"

type Where = "path" | "query"

export class Parameters {
  readonly #schemas: Schemas
  readonly #uses = new Map<string, { readonly parameter: JsonSchema; count: number }>()
  readonly #names = new Map<string, string>()

  constructor(schemas: Schemas) {
    this.#schemas = schemas
  }

  /** Every route must be counted before the first is asked for. */
  count(_name: RouteName, route: Route): void {
    for (const parameter of this.#own(route)) {
      const text = JSON.stringify(parameter)
      const known = this.#uses.get(text)
      if (known === undefined) this.#uses.set(text, { parameter, count: 1 })
      else if (++known.count === 2) this.#names.set(text, this.#freeName(parameter))
    }
  }

  of(route: Route): readonly JsonSchema[] {
    const own = this.#own(route).map((parameter) => {
      const name = this.#names.get(JSON.stringify(parameter))
      return name === undefined ? parameter : referTo(name)
    })
    return [...own, ...headersOf(route).map(referTo)]
  }

  get components(): JsonSchema {
    const shared = [...this.#names].map(([text, name]) => [name, JSON.parse(text)] as const)
    return Object.fromEntries([...Object.entries(requestHeaders), ...shared].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #own(route: Route): readonly JsonSchema[] {
    return [...this.#from(route.params, "path"), ...this.#from(route.query, "query")]
  }

  #from(schema: z.ZodType | undefined, where: Where): readonly JsonSchema[] {
    if (schema === undefined) return []
    const { properties = {}, required = [] } = this.#schemas.add(schema, "input") as {
      properties?: JsonSchema
      required?: readonly string[]
    }
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      in: where,
      required: where === "path" || required.includes(name),
      schema,
      ...(examples[name] === undefined || where === "query" ? {} : { example: examples[name] }),
    }))
  }

  #freeName(parameter: JsonSchema): string {
    const taken = new Set(this.#names.values())
    const name = String(parameter.name)
    for (let n = 1; ; n++) if (!taken.has(n === 1 ? name : `${name}-${n}`)) return n === 1 ? name : `${name}-${n}`
  }
}

const examples: Readonly<Record<string, string>> = { agent: "host", branch: "main" }

function headersOf(route: Route): readonly string[] {
  const isCalled = route.needs !== "nothing" && route.needs !== "signature"
  const isCommand = route.method !== "GET" && isCalled && route.repeats !== "never"
  return [...(isCalled ? ["Parlor-Person"] : []), ...(isCommand ? ["Idempotency-Key"] : []), ...(route.headers ?? [])]
}

function referTo(name: string): JsonSchema {
  return { $ref: `#/components/parameters/${name}` }
}

const header = (name: string, description: string, schema: JsonSchema, example?: string): JsonSchema => ({
  name,
  in: "header",
  required: false,
  description,
  schema,
  ...(example === undefined ? {} : { example }),
})

const text = { type: "string" }

const requestHeaders: Readonly<Record<string, JsonSchema>> = {
  "Parlor-Person": header(
    "Parlor-Person",
    "The person to act for, if the credential may. Percent-encoded if the name is not plain ASCII.",
    text,
    "telegram:42",
  ),
  "Idempotency-Key": header(
    "Idempotency-Key",
    "A repeat with the same key and request gets the first response and changes nothing more.",
    { type: "string", minLength: 1, maxLength: limits.idempotencyKeyLength, pattern: "^[\\x20-\\x7e]+$" },
    "4f1a2c9e",
  ),
  "If-Match": header("If-Match", "Only if the file still has this ETag, or exists at all (`*`).", text),
  "If-None-Match": header(
    "If-None-Match",
    "For a file, `*`: only if there is none. For a stream, the ETag of the slice.",
    text,
  ),
  "Last-Event-ID": header("Last-Event-ID", "The id of the last event received: the stream continues after it.", text),
  Prefer: header(
    "Prefer",
    `\`wait=30\`: wait for the reply, at most that many seconds and ${limits.sendWaitSeconds} at most.`,
    text,
    "wait=30",
  ),
}

/** Of responses. */
export const headers: JsonSchema = {
  ETag: { description: "Identifies this content", schema: text },
  "Parlor-Code": { description: "The code of the error", schema: text },
  "Parlor-Pointer": { description: "Where in the request the error is", schema: text },
  "Parlor-Txid": { description: "The id of this request; events it causes have it too", schema: text },
  "Preference-Applied": { description: "How long the response may have waited", schema: text },
  "Stream-Next-Offset": { description: "The position after this slice", schema: text },
  "Stream-Up-To-Date": { description: "`true` if the slice reaches the end of the stream", schema: text },
  "Stream-Cursor": { description: "Pass it on as `cursor` with the next live read", schema: text },
}
