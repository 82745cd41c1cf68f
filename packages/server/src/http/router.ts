/** Finds the route of a request by its method and path. */
import { type Route, type RouteName, routes } from "@parlor/protocol"

export type Match = {
  readonly name: RouteName
  readonly route: Route
  /** The values of the path's `:names`, as they were sent. */
  readonly params: Readonly<Record<string, string>>
}

type Pattern = { readonly name: RouteName; readonly route: Route; readonly steps: readonly string[] }

const patterns: readonly Pattern[] = (Object.keys(routes) as RouteName[]).map((name) => {
  const route: Route = routes[name]
  return { name, route, steps: route.path.split("/") }
})

/** Paths with more segments match the same routes as a path of this length. */
const LONGEST = Math.max(...patterns.map(({ steps }) => steps.length))

/** By method, then by number of segments, so that few are left to compare. */
const candidates: ReadonlyMap<string, readonly (readonly Pattern[])[]> = new Map(
  [...new Set(patterns.map(({ route }) => route.method))].map((method) => {
    const ofMethod = patterns.filter(({ route }) => route.method === method)
    const ofLength = (length: number) => ofMethod.filter(({ steps }) => hasLength(steps, length))
    return [method, Array.from({ length: LONGEST + 1 }, (_, length) => ofLength(length))]
  }),
)

/** `:name` is one segment, `:name*` the rest of the path. Undefined if no route matches. HEAD is treated as GET. */
export function matchRoute(method: string, path: string): Match | undefined {
  const given = path.split("/")
  const asked = method === "HEAD" ? "GET" : method
  for (const { name, route, steps } of candidates.get(asked)?.[Math.min(given.length, LONGEST)] ?? [])
    if (fits(steps, given)) return { name, route, params: paramsOf(steps, given) }
  return undefined
}

/** The methods allowed at a path. */
export function allowedMethods(path: string): readonly string[] {
  const given = path.split("/")
  return patterns
    .filter(({ steps }) => fits(steps, given))
    .flatMap(({ route }) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]))
}

function hasLength(steps: readonly string[], length: number): boolean {
  return steps.at(-1)?.endsWith("*") ? length >= steps.length : length === steps.length
}

function fits(steps: readonly string[], given: readonly string[]): boolean {
  if (!hasLength(steps, given.length)) return false
  return steps.every((step, index) => (step.startsWith(":") ? given[index] !== "" : step === given[index]))
}

function paramsOf(steps: readonly string[], given: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, step] of steps.entries()) {
    if (!step.startsWith(":")) continue
    if (step.endsWith("*")) params[step.slice(1, -1)] = given.slice(index).join("/")
    else params[step.slice(1)] = given[index] ?? ""
  }
  return params
}
