/** Names in a request's path, query and headers: percent-encoded UTF-8, decoded once, never guessed at (ADR-5). */
import { Refusal } from "@parlor/protocol"

export type Target = { readonly path: string; readonly query: string }

/** The target of a request line. The gate has seen to it that one with a host names this server. */
export function targetOf(url: string): Target {
  if (!url.startsWith("/") && URL.canParse(url)) {
    const { pathname, search } = new URL(url)
    return { path: pathname, query: search.slice(1) }
  }
  const [whole = ""] = url.split("#", 1)
  const mark = whole.indexOf("?")
  return mark < 0 ? { path: whole, query: "" } : { path: whole.slice(0, mark), query: whole.slice(mark + 1) }
}

/** A step `.` or `..` would be resolved before anyone here sees it, to an address that nobody wrote. */
export function checkSteps(url: string): void {
  const path = url.split(/[?#]/, 1)[0] ?? ""
  if (!/(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i.test(path)) return
  throw new Refusal("route.unknown", 'There is nothing at an address with a step "." or "..".')
}

/** The rest of a path is decoded step by step: an encoded slash is no step. */
export function pathParams(given: Readonly<Record<string, string>>): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, text] of Object.entries(given))
    params[name] = text
      .split("/")
      .map((step) => decoded(step, name))
      .join("/")
  return params
}

export function queryParams(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
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
