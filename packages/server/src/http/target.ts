/** Names in a request's path, query and headers: percent-encoded UTF-8, decoded once, never guessed at (ADR-5). */
import { Refusal } from "@parlor/protocol"

/** A step `.` or `..` would be resolved before anyone here sees it, to an address that nobody wrote. */
export function checkSteps(url: string): void {
  const path = url.split(/[?#]/, 1)[0] ?? ""
  if (!/(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i.test(path)) return
  throw new Refusal("route.unknown", 'There is nothing at an address with a step "." or "..".')
}

/** The values of a pattern's `:names` in a path that matched it. */
export function pathParams(pattern: string, path: string): Record<string, string> {
  const given = path.split("/")
  const params: Record<string, string> = {}
  for (const [index, step] of pattern.split("/").entries()) {
    if (!step.startsWith(":")) continue
    const rest = step.endsWith("*")
    const name = rest ? step.slice(1, -1) : step.slice(1)
    params[name] = rest
      ? given
          .slice(index)
          .map((one) => decoded(one, name))
          .join("/")
      : decoded(given[index] ?? "", name)
  }
  return params
}

export function queryParams(url: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  const text = url.split("#", 1)[0]?.split("?").slice(1).join("?") ?? ""
  for (const pair of text.split("&")) {
    if (pair === "") continue
    const [name = "", ...value] = pair.replaceAll("+", " ").split("=")
    const key = decoded(name, name)
    if (key in query) throw new Refusal("request.invalid", `"${key}" is given twice.`, key)
    query[key] = decoded(value.join("="), key)
  }
  return query
}

/** A broken escape is its writer's to mend. */
export function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal("request.invalid", `${JSON.stringify(text)} is not percent-encoded UTF-8.`, name)
  }
}
