/** Generates requests for all routes: some valid, most almost valid. */
import { type Route, type RouteName, routes } from "@parlor/protocol"
import fc from "fast-check"

const TABLE = Object.entries(routes).map(([name, route]) => ({ ...(route as Route), name: name as RouteName }))
/** A valid body for each route. */
const FITTING: Partial<Record<RouteName, unknown>> = {
  send: { text: "hi" },
  markConversation: { title: "t", pinned: true },
  stop: { onQueue: "drain" },
  makeKey: { name: "k", scopes: ["read"] },
  linkName: { name: "telegram:1", person: "ana" },
  importConversation: { role: "person", text: "hi" },
}

export type AnyRequest = {
  readonly method: string
  readonly path: string
  readonly body: string | Buffer | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly token: boolean
}

const odd = fc.oneof(
  fc.constantFrom("nobody", "key_1", "..", "", "%00", "%2F", "%"),
  fc.string({ unit: "binary", maxLength: 20 }).map(encoded),
  fc.string({ unit: "grapheme", maxLength: 200 }).map(encoded),
)
const step = (...good: readonly string[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: odd })
const steps = fc.record({
  agent: step("host", "critic"),
  branch: step("main", "fuzz"),
  key: odd,
  file: step("a.txt", "b/c.txt", "b/../c", "con"),
})
/** Usually a route's own method and path. */
const place = fc
  .tuple(
    fc.constantFrom(...TABLE, ...TABLE.filter((route) => route.method !== "GET")),
    steps,
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 2, arbitrary: fc.constantFrom("GET", "PUT", "POST", "PATCH", "DELETE") },
      { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS", "TRACE", "LINK", "QUERY") },
    ),
  )
  .map(([route, { agent, branch, key, file }, method]) => ({
    method: method ?? route.method,
    path: route.path
      .replace(":agent", () => agent)
      .replace(":branch", () => branch)
      .replace(":key", () => key)
      .replace(":path*", () => file),
    type: route.bodyType ?? "application/json",
    fitting: JSON.stringify(FITTING[route.name]),
  }))
const queryValue = fc.oneof(
  fc.constantFrom("-1", "now", "0000000000000001", "true", "false", "10", "0", "host", "main", "state", "log", ""),
  fc.double().map(String),
  fc.bigInt().map(String),
  fc.string({ unit: "binary", maxLength: 30 }).map(encoded),
  fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[^\x21-\x7e]|[#]/g, "")),
)
const queryName = fc.constantFrom(
  "offset",
  "cursor",
  "limit",
  "before",
  "messages",
  "view",
  "agent",
  "branch",
  "archived",
  "ephemeral",
  "__proto__",
  "x",
)
const query = fc
  .array(fc.tuple(queryName, queryValue), { maxLength: 4 })
  .map((pairs) => (pairs.length === 0 ? "" : `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}`))

const word = fc.constantFrom(
  "text",
  "type",
  "payload",
  "source",
  "nodes",
  "mode",
  "position",
  "title",
  "pinned",
  "archived",
  "read",
  "turn",
  "onQueue",
  "name",
  "scopes",
  "actFor",
  "expiresAt",
  "kind",
  "start",
  "end",
  "raw",
  "role",
  "message",
  "parlor",
  "__proto__",
  "constructor",
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(
      "composer_input",
      "immediate",
      "steer",
      "paused",
      "hold",
      "read",
      "manage",
      "telegram:*",
      "person",
      "",
      null,
      true,
      0,
      1,
      -1,
      1e308,
      2 ** 53,
    ),
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.integer(),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(word, tie("any"), { maxKeys: 5 }),
  ),
})).any
const json = value.map((any) => JSON.stringify(any) ?? "")
const body = fc.oneof(
  { weight: 5, arbitrary: json },
  { weight: 1, arbitrary: json.map((text) => text.slice(0, Math.ceil(text.length / 2))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 10_000 }).map((depth) => "[".repeat(depth)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "1e400",
      '{"text":1e400}',
      '{"text":"\\ud800"}',
      `{"text":${"9".repeat(5_000)}}`,
      '{"a":1,"a":2}',
    ),
  },
  { weight: 1, arbitrary: fc.constant(undefined) },
)
const visibleAscii = fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, "").trim())
const oddHeaders = fc.record(
  {
    "content-type": fc.constantFrom("application/json", "text/plain", "application/json; charset=x", ""),
    "content-encoding": fc.constantFrom("gzip", "identity", ""),
    "idempotency-key": visibleAscii,
    "if-none-match": visibleAscii,
    "parlor-person": fc.oneof(fc.constantFrom("me", "ana", "%", "%ED%A0%80", "%00"), visibleAscii),
    accept: visibleAscii,
    range: fc.constantFrom("bytes=0-", "x"),
    expect: fc.constant("100-continue"),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>
const headers = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: oddHeaders })
const signedIn = fc.oneof({ weight: 19, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })
const choice = fc.oneof(fc.constant("fitting" as const), body)

export const anyRequest: fc.Arbitrary<AnyRequest> = fc
  .tuple(place, query, choice, headers, signedIn)
  .map(([{ method, path, type, fitting }, query, chosen, headers, token]) => {
    const body = chosen === "fitting" ? fitting : chosen
    const isImport = path === routes.importConversation.path
    return {
      method,
      path: isImport ? `${path}?agent=host&branch=${encoded(query)}` : path + query,
      body,
      headers: { ...(body === undefined ? {} : { "content-type": type }), ...headers },
      token,
    }
  })

/** Encodes text that is not well-formed as the bytes it would have. */
function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return "%ED%A0%80"
  }
}
