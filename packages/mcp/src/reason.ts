/** Why something failed, in one line: the error with its causes, the HTTP status, the protocol versions of the server. */

const MAX_CAUSES = 5

export function reasonOf(error: unknown): string {
  const said: string[] = []
  let current: unknown = error
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined && current !== null; depth++) {
    const words = wordsOf(current)
    if (words !== "" && !said.some((one) => one.includes(words))) said.push(words)
    current = current instanceof Error ? (current.cause ?? firstOf(current)) : undefined
  }
  const [first = "Unknown error", ...causes] = said
  const known = causes.length === 0 ? first : `${first} (${causes.join("; ")})`
  return `${known}${statusWords(error, known)}${versionWords(error, known)}`
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== "") return error.message
  return "code" in error && typeof error.code === "string" ? error.code : ""
}

/** A host with several addresses fails with one error for each. */
function firstOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : undefined
}

function statusWords(error: unknown, known: string): string {
  const { status } = dataOf(error)
  return typeof status !== "number" || known.includes(String(status)) ? "" : ` [HTTP ${status}]`
}

function versionWords(error: unknown, known: string): string {
  const { supported } = dataOf(error)
  if (!Array.isArray(supported) || supported.length === 0) return ""
  const versions = supported.map(String).join(", ")
  return known.includes(versions) ? "" : ` It supports the protocol versions ${versions}.`
}

function dataOf(error: unknown): { readonly status?: unknown; readonly supported?: unknown } {
  const data = error instanceof Error && "data" in error ? error.data : undefined
  return typeof data === "object" && data !== null ? data : {}
}
