/** Decodes names in a request's path, query and headers: percent-encoded UTF-8, decoded once, no guessing (ADR-5). */
import { Refusal } from "@parlor/protocol"

export type Target = { readonly path: string; readonly query: string }

/** The target of a request line. The gate has checked that a host in it is this server's. */
export function targetOf(url: string): Target {
  if (!url.startsWith("/") && URL.canParse(url)) {
    const { pathname, search } = new URL(url)
    return { path: pathname, query: search.slice(1) }
  }
  const [whole = ""] = url.split("#", 1)
  const mark = whole.indexOf("?")
  return mark < 0 ? { path: whole, query: "" } : { path: whole.slice(0, mark), query: whole.slice(mark + 1) }
}

/** A segment `.` or `..` would be resolved before routing, to a path that nobody wrote. */
export function checkSteps(url: string): void {
  const path = url.split(/[?#]/, 1)[0] ?? ""
  if (!/(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i.test(path)) return
  throw new Refusal("route.unknown", 'A path cannot contain the segments "." or "..".')
}

/** The rest of a path is decoded segment by segment: an encoded slash is not a separator. */
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
    if (key in query) throw new Refusal("request.invalid", `"${key}" appears twice.`, key)
    query[key] = decoded(value.join("="), key)
  }
  return query
}

/** An invalid escape is refused. */
export function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal("request.invalid", `${JSON.stringify(text)} is not percent-encoded UTF-8.`, name)
  }
}
